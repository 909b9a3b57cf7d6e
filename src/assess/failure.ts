import { toEventSelector } from "viem";
import { checksum } from "../kernel/address.ts";
import type { RiskFinding } from "../model/evidence.ts";
import type { ActorCall } from "../model/match.ts";
import type { SubjectAct } from "./subject-act.ts";

/** Whether the transaction, or what the subject wanted inside a transaction that stands, failed. */
export function judgeFailure(act: SubjectAct): RiskFinding[] {
  const found = { flag: "transaction_reverted" as const, address: null, role: null };
  if (act.tx.status === "reverted") {
    const detail = "The transaction reverted: nothing moved except the fee.";
    return [{ ...found, detail, basis: "receipt", evidence: ["receipt"] }];
  }
  const operation = failedOperation(act);
  if (operation !== undefined) {
    const detail = `The transaction stands, but the user operation of ${checksum(act.subject)} inside it failed: nothing of it moved except the fee.`;
    return [{ ...found, detail, basis: "inner_call_failed", evidence: [`log ${operation}`] }];
  }
  const safe = act.tx.logs.find((log) => log.address === act.subject && log.topics[0] === executionFailure);
  if (safe !== undefined) {
    const detail = `The transaction stands, but the call of the Safe ${checksum(act.subject)} inside it failed.`;
    return [{ ...found, detail, basis: "inner_call_failed", evidence: [`log ${safe.index}`] }];
  }
  const calls = failedCalls(act);
  if (calls.length === 0) return [];
  const detail =
    `The transaction stands, but ${calls.length} of the calls that ${checksum(act.subject)} made in it failed, ` +
    `the first to ${checksum(calls[0]?.to ?? act.subject)}.`;
  return [{ ...found, detail, basis: "inner_call_failed", evidence: calls.map((call) => `call ${call.id}`) }];
}

/** ERC-4337: the entry point says for each operation whether its call succeeded. */
const userOperationEvent = toEventSelector("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)");
const executionFailure = toEventSelector("ExecutionFailure(bytes32,uint256)");

function failedOperation({ tx, subject, labels }: SubjectAct): number | undefined {
  const entryPoints = labels.system("entry_point");
  const log = tx.logs.find(
    (one) =>
      one.topics[0] === userOperationEvent &&
      entryPoints.includes(one.address) &&
      one.topics[2]?.endsWith(subject.slice(2)) === true &&
      // nonce, success, actualGasCost, actualGasUsed
      /^0x[0-9a-f]{64}0{64}/.test(one.data),
  );
  return log?.index;
}

/** Calls of the subject of which the call tree shows that they ran and failed, inside an envelope that did not. */
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
