import type { Assessment } from "../../assess/assess.ts";
import type { SubjectAct } from "../../assess/subject-act.ts";
import type { Address } from "../../kernel/address.ts";
import type { MatchedMessage } from "../../match/messages/match-message.ts";
import type { GivenRight } from "../../match/messages/signed-offer.ts";
import type { ActorCall, MatchContext } from "../../model/match.ts";
import type { SignedDomain } from "../../model/message.ts";
import type { CompiledRule } from "../../ruleset/compiled.ts";
import type { Ruleset } from "../../ruleset/ruleset.ts";
import type { MessageField } from "../../typed-data/fields.ts";
import type { Words } from "../teller/words.ts";

/** Everything that was found out about one message. */
export interface MessageFindings extends Pick<SubjectAct, "file" | "ruleset" | "labels"> {
  signer: Address;
  /** In whose name it is signed. */
  account: Address;
  /** null for what is no typed data. */
  primaryType: string | null;
  /** The struct that counts: what is nested for an account, or the same. */
  contentsType: string | null;
  domain: SignedDomain;
  fields: readonly MessageField[];
  matched: MatchedMessage | undefined;
  /** What it allows, with what the call in it allows. */
  rights: readonly GivenRight[];
  /** Whom only the part names that the rule does not know. */
  witness: readonly Address[];
  /** What the call that it carries does; null where it carries none. */
  carried: SignedCall | null;
  /** What the calls inside of that call do, by the context of the act. */
  within: ReadonlyMap<MatchContext, readonly CarriedActs[]>;
  assessment: Assessment;
}

/** What the parts of the answer are told with. */
export interface MessageTools extends Pick<Words, "names" | "teller" | "writer"> {
  /** Their words stand where a rule's sentence cannot be filled. */
  types?: Ruleset["actions"];
}

/** What the call that a message carries would do, by its calldata alone. */
export interface CarriedActs {
  /** The headline first. */
  actions: readonly { rule: CompiledRule; context: MatchContext }[];
  /** Innermost calls, of which the actions tell some. */
  calls: readonly ActorCall[];
  /** Ids of the calls that the actions tell. */
  told: ReadonlySet<number>;
  /** Something in it could not be read. */
  opaque: boolean;
}

/** The call that a message itself carries, with what shows who would do what of it. */
export interface SignedCall extends CarriedActs {
  /** Calls of contracts that nobody knows, each with the ids of the calls that only its calldata tells. */
  through: readonly { call: ActorCall; ids: ReadonlySet<number> }[];
  /** The calls that each act tells. */
  asked: ReadonlyMap<MatchContext, readonly ActorCall[]>;
  /** Ether that the account sends with its calls. */
  sent: bigint;
}
