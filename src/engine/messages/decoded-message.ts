import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Asked } from "../../rules/typed-data/asked.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import type { MatchedMessage } from "../match/messages/match-message.ts";
import type { GivenRight } from "../match/messages/signed-offer.ts";
import type { SignedCall } from "../present/message/message-findings.ts";

/** Not yet in words. */
export interface DecodedMessage {
  file: CaseFile;
  signer: Address;
  /** The signer, or another account that the message names. */
  account: Address;
  asked: Asked;
  matched: MatchedMessage | undefined;
  carried: SignedCall | null;
  /** With those of the carried call. */
  rights: GivenRight[];
  /** In parts unknown to the rule, such as a witness of Permit2. */
  witness: Address[];
  act: SubjectAct;
}
