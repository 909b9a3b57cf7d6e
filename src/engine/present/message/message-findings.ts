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

/** Everything that was found out about one message. */
export interface MessageFindings extends Pick<SubjectAct, "file" | "ruleset" | "labels"> {
  signer: Address;
  /** The account in whose name it is signed, such as a smart account of the signer. */
  account: Address;
  /** null where the message is no typed data, such as an authorization. */
  primaryType: string | null;
  /** The struct that holds the content. It differs from `primaryType` where a smart account nests the message in a struct of its own. */
  contentsType: string | null;
  domain: SignedDomain;
  fields: readonly MessageField[];
  matched: MatchedMessage | undefined;
  /** Rights that the message gives, and those that its carried call gives. */
  rights: readonly GivenRight[];
  /** Accounts that only appear in a part of the message that the rule does not know. */
  witness: readonly Address[];
  /** What the carried call does; null where the message carries none. */
  carried: SignedCall | null;
  /** For acts of that call which hold further calls: what those do, by the context of the act. */
  within: ReadonlyMap<MatchContext, readonly CarriedActs[]>;
  assessment: Assessment;
}

/** Tools for putting the parts of the answer into words. */
export interface MessageTools extends Pick<Words, "names" | "teller" | "writer"> {
  /** Action types; their words are used where a rule's sentence cannot be filled. */
  types?: Ruleset["actions"];
}

/** What a carried call would do, known from its calldata alone. */
export interface CarriedActs {
  /** The headline first. */
  actions: readonly { rule: CompiledRule; context: MatchContext }[];
  /** Innermost calls. Some of them are told by the actions. */
  calls: readonly ActorCall[];
  /** Ids of the calls that the actions tell. */
  told: ReadonlySet<number>;
  /** Whether a part of its calldata could not be read. */
  opaque: boolean;
}

/** The call that a message itself carries, with the facts that show who would do which part of it. */
export interface SignedCall extends CarriedActs {
  /** Calls to contracts that nobody knows. `ids`: calls inside which only the calldata of that contract shows. */
  through: readonly { call: ActorCall; ids: ReadonlySet<number> }[];
  /** The calls that each act tells. */
  asked: ReadonlyMap<MatchContext, readonly ActorCall[]>;
  /** Wei that the account sends with its calls. */
  sent: bigint;
}
