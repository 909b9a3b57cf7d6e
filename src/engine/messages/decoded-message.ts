import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Asked } from "../../rules/typed-data/asked.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import type { MatchedMessage } from "../match/messages/match-message.ts";
import type { GivenRight } from "../match/messages/signed-offer.ts";
import type { SignedCall } from "../present/message/message-findings.ts";

/** What a message says, before it is put into words. */
export interface DecodedMessage {
  file: CaseFile;
  signer: Address;
  /** The account in whose name it is signed: the signer, or another account that the message names. */
  account: Address;
  asked: Asked;
  matched: MatchedMessage | undefined;
  carried: SignedCall | null;
  /** Rights that the message and its carried call give. */
  rights: GivenRight[];
  /** Addresses in the part of the message that the rule does not know, such as a witness of Permit2. */
  witness: Address[];
  act: SubjectAct;
}
