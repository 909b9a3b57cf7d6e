import { decimalText } from "../../kernel/amount.ts";
import { limits } from "../../kernel/limits.ts";
import type { Evidence, RiskEvidence } from "../../model/evidence.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Completeness } from "../settle/completeness.ts";
import { attributionsOf } from "../unwrap/attribution.ts";
import type { Findings } from "./findings.ts";

/** Base units; positions in the transaction. */
export function presentEvidence(findings: Findings, missing: readonly Phrase[], risk: RiskEvidence): Evidence {
  const { completeness, settled, subject, unwrapped, ruleset } = findings;
  const { open, total } = completeness.measureCalls();
  return {
    ruleset: ruleset.fingerprint,
    subject,
    calls: unwrapped.calls.map((call) => ({
      id: call.id,
      via: call.via,
      step: call.step,
      from: call.from,
      to: call.to,
      selector: call.input.slice(0, 10),
      state: call.state,
    })),
    ...millisecondsOf(findings),
    ...attributionOf(unwrapped.calls),
    actions: settled.actions.map(({ rule, context, logs, calls, movements }) => ({
      rule: rule.id,
      version: rule.version(),
      action: rule.action,
      subject: context.subject,
      logs,
      calls,
      movements,
    })),
    superseded: settled.superseded,
    ...unexplainedOf(completeness, open),
    completeness: {
      movements: share(completeness.movementsTotal, completeness.movements.length),
      calls: share(total, open.length),
    },
    partial: missing.map(({ text }) => text),
    risk,
  };
}

/** Where blocks come more often than seconds; nothing if it contradicts the node. */
function millisecondsOf({ tx: { blockNumber, timestamp }, labels }: Findings): Pick<Evidence, "timestamp_ms"> {
  const { blocks } = labels.calendar;
  if (blocks === null) return {};
  const [time, next] = [blocks.millisecondsAt(BigInt(blockNumber)), blocks.millisecondsAt(BigInt(blockNumber) + 1n)];
  return next - time < 1_000 && Math.floor(time / 1_000) === timestamp ? { timestamp_ms: time } : {};
}

function attributionOf(calls: readonly ActorCall[]): Pick<Evidence, "attribution" | "untrusted_fields"> {
  const found = attributionsOf(calls).slice(0, limits.evidenceMax);
  if (found.length === 0) return {};
  const attribution = found.map(({ call, attribution: { schema, codes, leftOut } }) => ({
    call,
    schema,
    codes: codes.map(({ code, role, registry }) => ({
      code,
      role,
      registry: registry && { chain_id: registry.chainId, address: registry.address },
    })),
    left_out: leftOut,
  }));
  const untrusted = attribution.flatMap(({ codes }, i) => codes.map((_, j) => `attribution[${i}].codes[${j}].code`));
  return { attribution, untrusted_fields: untrusted };
}

function unexplainedOf(
  completeness: Completeness,
  calls: readonly ActorCall[],
): Pick<Evidence, "unexplained" | "unexplained_calls" | "unclaimed_logs"> {
  return {
    unexplained: completeness.movements.slice(0, limits.evidenceMax).map((move) => ({
      movement: move.index,
      token: move.token,
      amount: decimalText(move.amount, 0),
      from: move.from,
      to: move.to,
    })),
    unexplained_calls: calls.map(({ id, to, input }) => ({ call: id, to, selector: input.slice(0, 10) })),
    unclaimed_logs: completeness
      .findLogs()
      .slice(0, limits.evidenceMax)
      .map(({ index, address, topics }) => {
        return { log: index, address, topic0: topics[0] ?? null };
      }),
  };
}

function share(total: number, open: number): { explained: number; total: number } {
  return { explained: total - open, total };
}
