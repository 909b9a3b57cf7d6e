import { assess } from "../assess/assess.ts";
import { limits } from "../kernel/limits.ts";
import { type MatchedMessage, matchMessage } from "../match/message-match.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { MessageDecision } from "../model/message-explanation.ts";
import type { Transaction } from "../model/transaction.ts";
import { normalize } from "../normalize/normalize.ts";
import { planRisk } from "../plan/risk-plan.ts";
import type { CarriedActs } from "../present/message/carried-acts.ts";
import { presentMessage } from "../present/message/message.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { listFields, type MessageField } from "../typed-data/fields.ts";
import { readTypedData, type TypedData } from "../typed-data/typed-data.ts";
import { GateKeeper } from "../unwrap/gates.ts";
import { decodeCarried } from "./carried-call.ts";
import { type MessageInput, messageCase } from "./message-case.ts";
import { planMessageReads, tokensOfMessage } from "./message-plan.ts";
import { signedAct } from "./signed-act.ts";

/**
 * Explains what somebody is asked to sign, before it is signed. Pure: the same input, rules and labels give the same bytes. Throws
 * TypedDataError for what cannot be read, and for what is meant for another chain.
 */
export function decideMessage(input: MessageInput, ruleset: Ruleset, labels: Labels): MessageDecision {
  const { file, data, matched, carried, act } = decodeMessage(input, ruleset, labels);
  const { fields, count } = fieldsOf(data);
  return presentMessage({
    ...{ file, ruleset, labels, matched, carried, fields },
    signer: input.from,
    primaryType: data.primaryType,
    domain: data.domain,
    fieldCount: count,
    assessment: assess(act),
  });
}

/** What to look up before a message is decided. At most `lookupsMax` addresses are examined. */
export function planMessage(
  input: MessageInput,
  { ruleset, labels, lookupsMax }: { ruleset: Ruleset; labels: Labels; lookupsMax: number },
): LookupPlan {
  const decoded = decodeMessage(input, ruleset, labels);
  const tokens = tokensOfMessage(decoded).filter((token) => labels.token(token) === undefined);
  return {
    tokens: [...new Set(tokens)].slice(0, limits.tokensMax),
    reads: planMessageReads(decoded, ruleset, labels),
    risk: planRisk(decoded.act, lookupsMax),
  };
}

/** What a message says, apart from the words. */
export interface DecodedMessage {
  file: CaseFile;
  tx: Transaction;
  data: TypedData;
  matched: MatchedMessage | undefined;
  carried: CarriedActs | null;
  act: ReturnType<typeof signedAct>;
}

function decodeMessage(input: MessageInput, ruleset: Ruleset, labels: Labels): DecodedMessage {
  const data = readTypedData(input.typed_data);
  const file = messageCase(input, { from: input.from, to: data.domain.verifyingContract ?? input.from });
  const tx = normalize(file, labels);
  const gates = new GateKeeper(tx, file);
  const matched = matchMessage(data, { ruleset, gates, tx });
  const carried = matched?.call == null ? null : decodeCarried(matched.call, input, { ruleset, labels });
  const act = signedAct({ input, file, tx, matched, carried, domain: data.domain, ruleset, labels });
  return { file, tx, data, matched, carried: carried?.acts ?? null, act };
}

function fieldsOf({ primaryType, types, values }: TypedData): { fields: MessageField[]; count: number } {
  return listFields({ primaryType, types, values }, limits.signedFieldsMax);
}
