import { assess } from "../assess/assess.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import { type Address, readAddress } from "../kernel/address.ts";
import { decimalText } from "../kernel/amount.ts";
import { limits } from "../kernel/limits.ts";
import { matchRules } from "../match/match.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../model/case-file.ts";
import type { Evidence, RiskEvidence } from "../model/evidence.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Labels } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { Transaction } from "../model/transaction.ts";
import { normalize } from "../normalize/normalize.ts";
import { namedTokens } from "../plan/named-tokens.ts";
import { planLookups } from "../plan/plan.ts";
import { planRisk } from "../plan/risk-plan.ts";
import { AssetNames, type Phrase } from "../present/asset-names.ts";
import { type LeftOver, tellLeftOver } from "../present/left-over.ts";
import { present } from "../present/present.ts";
import { revertReason } from "../present/revert-reason.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { assetKey, type Completeness, measureCompleteness, netsOf } from "../settle/completeness.ts";
import { type Settled, settle } from "../settle/settle.ts";
import { GateKeeper } from "../unwrap/gates.ts";
import { type Unwrapped, unwrap } from "../unwrap/unwrap.ts";

export interface Decision {
  explanation: Explanation;
  /** Built on demand: callers that only want the answer do not pay for it. */
  evidence(): Evidence;
}

/** Explains one gathered transaction. Pure: the same case file, rules and labels give the same bytes. */
export function decide(caseFile: CaseFile | CaseFileV1, ruleset: Ruleset, labels: Labels): Decision {
  const file = upgradeCase(caseFile);
  const { tx, unwrapped, settled, subject, act } = decode(file, ruleset, labels);
  const risk = assess(act);
  const completeness = measureCompleteness({ tx, unwrapped, settled, subject });
  const wellKnown = wellKnownSymbols(labels);
  const names = new AssetNames(file, labels, { wellKnown, suspects: risk.suspects });
  const leftOver = tellLeftOver(leftOverOf(completeness, subject), names);
  const missing = whatIsMissing(tx, unwrapped, leftOver);
  const explanation = present({
    file,
    tx,
    subject,
    calls: unwrapped.calls,
    actions: settled.actions,
    types: ruleset.actions,
    labels,
    wellKnown,
    revertReason: revertReason(tx, ruleset.errors),
    flags: risk.flags,
    checks: risk.checks,
    suspects: risk.suspects,
    remark: risk.remark,
    missing,
  });
  const found = { unwrapped, settled, completeness, missing, subject };
  return { explanation, evidence: () => evidenceOf({ ...found, risk: risk.evidence() }, ruleset) };
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

/** What is not explained, by asset. */
function leftOverOf({ movements }: Completeness, subject: Address): LeftOver[] {
  const nets = netsOf(movements, subject);
  return [...nets].flatMap(([key, amount]) => {
    const move = movements.find((one) => assetKey(one) === key);
    return move === undefined ? [] : { move, amount };
  });
}

/** Reasons for `partial`, each a sentence; value that is not explained first, since the first one is told. */
function whatIsMissing(tx: Transaction, unwrapped: Unwrapped, leftOver: Phrase | undefined): Phrase[] {
  const missing: string[] = [];
  const cut = [...tx.truncated, ...unwrapped.truncated];
  if (cut.length > 0) missing.push(`Not everything was read: ${cut.join(", ")}.`);
  if (unwrapped.calls.some((call) => call.state === "opaque")) missing.push("Some nested calls could not be read.");
  if (tx.movements.some((move) => move.basis === "calldata"))
    missing.push("The ether sent is what the calldata says; other ether moved inside could not be traced.");
  else if (!tx.nativeComplete) missing.push("Ether moved inside the call could not be traced.");
  const others = missing.map((text): Phrase => ({ text, untrusted: false }));
  return leftOver === undefined ? others : [leftOver, ...others];
}

function evidenceOf(
  found: {
    unwrapped: Unwrapped;
    settled: Settled;
    completeness: Completeness;
    missing: readonly Phrase[];
    subject: Evidence["subject"];
    risk: RiskEvidence;
  },
  ruleset: Ruleset,
): Evidence {
  const { completeness } = found;
  return {
    ruleset: ruleset.fingerprint,
    subject: found.subject,
    calls: found.unwrapped.calls.map((call) => ({
      id: call.id,
      via: call.via,
      step: call.step,
      from: call.from,
      to: call.to,
      selector: call.input.slice(0, 10),
      state: call.state,
    })),
    actions: found.settled.actions.map(({ rule, context, logs, calls, movements }) => ({
      rule: rule.id,
      version: rule.version,
      action: rule.action,
      subject: context.subject,
      logs,
      calls,
      movements,
    })),
    superseded: found.settled.superseded,
    unexplained: completeness.movements.map((move) => ({
      movement: move.index,
      token: move.token,
      amount: decimalText(move.amount, 0),
      from: move.from,
      to: move.to,
    })),
    unexplained_calls: completeness.calls.map(({ id, to, input }) => ({ call: id, to, selector: input.slice(0, 10) })),
    unclaimed_logs: completeness.logs.map(({ index, address, topics }) => {
      return { log: index, address, topic0: topics[0] ?? null };
    }),
    completeness: {
      movements: share(completeness.movementsTotal, completeness.movements.length),
      calls: share(completeness.callsTotal, completeness.calls.length),
    },
    partial: found.missing.map(({ text }) => text),
    risk: found.risk,
  };
}

function share(total: number, open: number): { explained: number; total: number } {
  return { explained: total - open, total };
}

const symbolSets = new WeakMap<Labels, ReadonlySet<string>>();

/** Lower-case symbols that a stranger's token may not borrow in a sentence. */
function wellKnownSymbols(labels: Labels): ReadonlySet<string> {
  let symbols = symbolSets.get(labels);
  if (symbols === undefined) {
    symbols = new Set([
      "eth",
      ...labels
        .tokens()
        .filter((token) => token.wellKnown)
        .map((token) => token.symbol.toLowerCase()),
    ]);
    symbolSets.set(labels, symbols);
  }
  return symbols;
}
