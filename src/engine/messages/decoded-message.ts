import type { SubjectAct } from "../../assess/subject-act.ts";
import type { Address } from "../../kernel/address.ts";
import type { MatchedMessage } from "../../match/messages/match-message.ts";
import type { GivenRight } from "../../match/messages/signed-offer.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { SignedCall } from "../../present/message/message-findings.ts";
import type { Asked } from "../../typed-data/asked.ts";

/** What a message says, apart from the words. */
export interface DecodedMessage {
  file: CaseFile;
  signer: Address;
  /** In whose name it is signed: the signer, or the account that the message names. */
  account: Address;
  asked: Asked;
  matched: MatchedMessage | undefined;
  carried: SignedCall | null;
  /** What the message and the call in it allow. */
  rights: GivenRight[];
  /** Whom only the part names that the rule does not know. */
  witness: Address[];
  act: SubjectAct;
}
