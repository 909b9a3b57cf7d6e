import { type Address, checksum } from "../../kernel/address.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Log } from "../../model/transaction.ts";
import { admits } from "../../rules/ruleset/grant-table.ts";
import type { FailureEvent } from "../../rules/ruleset/hints.ts";
import { state } from "../../rules/ruleset/wording/phrases.ts";
import { byTopic } from "../unwrap/hint-index.ts";
import type { Finding } from "./finding.ts";
import type { SubjectAct } from "./subject-act.ts";

/** The transaction failed, or the subject's own call in one that succeeded. */
export function judgeFailure(act: SubjectAct): Finding[] {
  const { mode } = act.tx;
  // A request never ran.
  if (mode === "requested") return [];
  const words = mode === "simulated" ? simulatedWords : minedWords;
  const found = { flag: "transaction_reverted" as const, address: null, role: null };
  if (act.tx.status === "reverted") {
    return [{ ...found, statement: state(words.reverted, {}), basis: "receipt", evidence: ["receipt"] }];
  }
  const inside = findReported(act);
  if (inside !== undefined) {
    const { what } = inside;
    const statement = state(inside.moved ? words.failed : words.withoutEffect, { what });
    return [{ ...found, statement, basis: "inner_call_failed", evidence: [`log ${inside.log}`] }];
  }
  const calls = failedCalls(act);
  const [first] = calls;
  if (first === undefined) return [];
  const fill = { count: calls.length, account: act.subject, first: first.to ?? act.subject };
  const statement = state(words.calls, fill);
  return [{ ...found, statement, basis: "inner_call_failed", evidence: calls.map((call) => `call ${call.id}`) }];
}

const minedWords = {
  reverted: "flag.reverted",
  failed: "flag.failed_inside",
  withoutEffect: "flag.failed_without_effect",
  calls: "flag.calls_failed",
} as const;

const simulatedWords = {
  reverted: "preview.flag_reverted",
  failed: "preview.flag_failed_inside",
  withoutEffect: "preview.flag_failed_without_effect",
  calls: "preview.flag_calls_failed",
} as const;

/**
 * `moved`: there may have been an effect: the account gave or got something, not all ether is seen, or the event is not about a whole
 * operation.
 */
interface Reported {
  what: string;
  log: number;
  moved: boolean;
}

/** The first event among the `failures` of the rules that reports it. */
function findReported({ tx, subject, ruleset }: SubjectAct): Reported | undefined {
  const told = byTopic(ruleset.failures);
  if (!tx.logs.some(({ topics }) => told.has(topics[0]))) return undefined;
  for (const failure of ruleset.failures) {
    const log = tx.logs.find((one) => one.topics[0] === failure.event.hash && reports(failure, one, subject));
    if (log === undefined) continue;
    const words = failure.what.parts.map((part) => (typeof part === "string" ? part : checksum(subject)));
    const moved = tx.movements.some(
      ({ from, to, amount, fee }) => (from === subject || to === subject) && amount > 0n && !fee,
    );
    return { what: words.join(""), log: log.index, moved: moved || failure.success === null || !tx.nativeComplete };
  }
  return undefined;
}

function reports({ event, contracts, account, success }: FailureEvent, log: Log, subject: Address): boolean {
  if (!admits(contracts, log.address)) return false;
  if (account === null && success === null) return log.address === subject;
  const args = event.read(log.topics, log.data);
  if (args === undefined || (success !== null && args[success] !== false)) return false;
  return (account === null ? log.address : args[account]) === subject;
}

/** Inside a wrapper that succeeded; empty without a call tree. */
function failedCalls({ tx, subject, calls }: SubjectAct): ActorCall[] {
  if (!tx.traced) return [];
  return calls.filter((call) => {
    if (call.via === null || call.actor !== subject || call.state !== "failed") return false;
    if (calls[call.parent]?.state === "failed") return false;
    return tx.calls.some(
      (frame) => !frame.ok && frame.from === call.from && frame.to === call.to && frame.input === call.input,
    );
  });
}
