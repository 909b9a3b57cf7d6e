import type { Address } from "../../../kernel/address.ts";
import type { ActorCall, MatchContext } from "../../../model/match.ts";
import type { SignedDomain } from "../../../model/message.ts";
import type { CompiledRule } from "../../../rules/ruleset/compiled.ts";
import type { Ruleset } from "../../../rules/ruleset/ruleset.ts";
import type { MessageField } from "../../../rules/typed-data/fields.ts";
import type { Assessment } from "../../assess/assess.ts";
import type { SubjectAct } from "../../assess/subject-act.ts";
import type { MatchedMessage } from "../../match/messages/match-message.ts";
import type { GivenRight } from "../../match/messages/signed-offer.ts";
import type { Words } from "../teller/words.ts";

export interface MessageFindings extends Pick<SubjectAct, "file" | "ruleset" | "labels"> {
  signer: Address;
  /** Such as a smart account of the signer. */
  account: Address;
  /** null: no typed data. */
  primaryType: string | null;
  /** Differs from `primaryType` where a smart account nests the message. */
  contentsType: string | null;
  domain: SignedDomain;
  fields: readonly MessageField[];
  matched: MatchedMessage | undefined;
  /** With those of the carried call. */
  rights: readonly GivenRight[];
  /** Only in parts unknown to the rule. */
  witness: readonly Address[];
  /** null: none. */
  carried: SignedCall | null;
  /** By context of the outer act. */
  within: ReadonlyMap<MatchContext, readonly CarriedActs[]>;
  assessment: Assessment;
}

export interface MessageTools extends Pick<Words, "names" | "teller" | "writer"> {
  /** For rules whose sentence cannot be filled. */
  types?: Ruleset["actions"];
}

/** By calldata alone. */
export interface CarriedActs {
  /** Headline first. */
  actions: readonly { rule: CompiledRule; context: MatchContext }[];
  /** Innermost. */
  calls: readonly ActorCall[];
  /** Ids of calls that the actions state. */
  told: ReadonlySet<number>;
  /** Not all calldata could be read. */
  opaque: boolean;
}

/** With the facts that show who would do which part. */
export interface SignedCall extends CarriedActs {
  /** Unknown contracts. `ids`: calls that only their calldata shows. */
  through: readonly { call: ActorCall; ids: ReadonlySet<number> }[];
  /** Calls by act. */
  asked: ReadonlyMap<MatchContext, readonly ActorCall[]>;
  /** Wei sent with its calls. */
  sent: bigint;
}
