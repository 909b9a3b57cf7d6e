import { readAddress, zeroAddress } from "../../../kernel/address.ts";
import { readHash, readHex, readQuantity, selectorOf } from "../../../kernel/hex.ts";
import type { CaseFile, RpcFrame, RpcLog } from "../../../model/case-file.ts";
import type { Knowledge } from "../knowledge.ts";
import type { CallStep, EmittedLog, Facts } from "./facts.ts";
import { readMoves } from "./moves.ts";

/** Malformed parts are left out. */
export function readFacts(file: CaseFile, knowledge: Knowledge): Facts {
  const { transaction, receipt, trace } = file;
  const sender = readAddress(transaction.from) ?? zeroAddress;
  const called = readAddress(transaction.to) ?? null;
  const succeeded = readQuantity(receipt.status) !== 0n;
  const logs = succeeded ? receipt.logs.flatMap(readLog) : [];
  const traced = "root" in trace;
  const root: RpcFrame = {
    type: called === null ? "CREATE" : "CALL",
    from: sender,
    to: called ?? receipt.contractAddress ?? zeroAddress,
    value: transaction.value,
    input: transaction.input,
  };
  const calls = traced ? trace.root : undefined;
  const steps = succeeded ? flatten({ ...calls, ...root }) : [];
  const listed = trace.source === "internal_transfers" ? trace.internal_transfers : [];
  const etherKnown = traced || trace.source === "internal_transfers";
  const moves = succeeded ? readMoves({ logs, steps, listed, etherKnown, wrapped: knowledge.wrapped }) : [];
  const byAsset = Map.groupBy(moves, ({ key }) => key);
  const emitted = steps.flatMap((step) => step.emitted.map((log) => ({ key: keyOfLog(log), step })));
  const byLog = new Map(
    [...Map.groupBy(emitted, ({ key }) => key)].map(([key, found]) => [key, found.map(({ step }) => step)]),
  );
  return { file, sender, called, succeeded, logs, steps, traced, etherKnown, moves, byAsset, byLog };
}

/** Equal for equal logs of one contract. */
export function keyOfLog({ address, topics, data }: Pick<EmittedLog, "address" | "topics" | "data">): string {
  return `${address} ${topics} ${data}`;
}

function readLog(log: RpcLog, index: number): EmittedLog[] {
  const address = readAddress(log.address);
  const data = readHex(log.data);
  const topics = log.topics.flatMap((topic) => readHash(topic) ?? []);
  if (address === undefined || data === undefined || topics.length !== log.topics.length) return [];
  return [{ index, address, topics, data }];
}

/** Pre-order, without failed calls and what is inside. An explicit stack: an attacker chooses the depth. */
function flatten(root: RpcFrame): CallStep[] {
  const steps: CallStep[] = [];
  const stack: { frame: RpcFrame; parent: number }[] = [{ frame: root, parent: -1 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { frame, parent } = top;
    const from = readAddress(frame.from);
    const to = readAddress(frame.to);
    if (frame.error !== undefined || from === undefined || to === undefined) continue;
    const index = steps.length;
    const input = (frame.input ?? "0x").toLowerCase();
    const [type, value] = [frame.type.toUpperCase(), readQuantity(frame.value) ?? 0n];
    const emitted = (frame.logs ?? []).flatMap(readLog);
    steps.push({ index, parent, type, from, to, value, input, selector: selectorOf(input) ?? "0x", emitted });
    for (const call of [...(frame.calls ?? [])].reverse()) stack.push({ frame: call, parent: index });
  }
  return steps;
}
