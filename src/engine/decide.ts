import { assess } from "../assess/assess.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import { type Address, readAddress } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import { matchRules } from "../match/match.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../model/case-file.ts";
import type { Decision } from "../model/decision.ts";
import type { Labels } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { Transaction } from "../model/transaction.ts";
import { normalize } from "../normalize/normalize.ts";
import { namedTokens } from "../plan/named-tokens.ts";
import { planLookups } from "../plan/plan.ts";
import { planRisk } from "../plan/risk-plan.ts";
import { present } from "../present/present.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { measureCompleteness } from "../settle/completeness.ts";
import { type Settled, settle } from "../settle/settle.ts";
import { GateKeeper } from "../unwrap/gates.ts";
import { type Unwrapped, unwrap } from "../unwrap/unwrap.ts";

/** Explains one gathered transaction. Pure: the same case file, rules and labels give the same bytes. */
export function decide(caseFile: CaseFile | CaseFileV1, ruleset: Ruleset, labels: Labels): Decision {
  const file = upgradeCase(caseFile);
  const { act, ...decoded } = decode(file, ruleset, labels);
  const completeness = measureCompleteness(decoded);
  const assessment = assess(act);
  return present({ ...decoded, completeness, assessment, file, ruleset, labels });
}

/**
 * Everything to look up after the first round trip, from one decode of what it found. Of the addresses whose code could be
 * examined, at most `lookupsMax` are.
 */
export function plan(
  draft: CaseFile | CaseFileV1,
  { ruleset, labels, lookupsMax }: { ruleset: Ruleset; labels: Labels; lookupsMax: number },
): LookupPlan {
  const file = upgradeCase(draft);
  const { settled, act } = decode(file, ruleset, labels);
  const { tokens, reads } = planLookups(file.transaction, file.receipt, ruleset, labels);
  const named = namedTokens(settled.actions).filter((token) => labels.token(token) === undefined);
  const wanted = [...new Set([...tokens, ...named])].slice(0, limits.tokensMax);
  return { tokens: wanted, reads, risk: planRisk(act, lookupsMax) };
}

interface Decoded {
  tx: Transaction;
  unwrapped: Unwrapped;
  settled: Settled;
  subject: Address;
  act: SubjectAct;
}

function decode(file: CaseFile, ruleset: Ruleset, labels: Labels): Decoded {
  const tx = normalize(file, labels);
  const gates = new GateKeeper(tx, file);
  const unwrapped = unwrap(tx, ruleset, gates);
  const settled = settle(matchRules(tx, unwrapped, ruleset, gates));
  const subject = settled.actions[0]?.context.subject ?? unwrapped.subject;
  const act = { file, tx, subject, calls: unwrapped.calls, named: namedBy(settled), labels };
  return { tx, unwrapped, settled, subject, act };
}

/** Addresses that the told actions name: receivers on other chains, beneficiaries of permits. */
function namedBy({ actions }: Settled): Address[] {
  return actions.flatMap(({ rule, context }) =>
    [...rule.captures.values()].flatMap((capture) => {
      const value = capture.kind === "address" ? capture.get(context) : undefined;
      return readAddress(value) ?? [];
    }),
  );
}
