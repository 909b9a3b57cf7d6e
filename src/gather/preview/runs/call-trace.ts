import { readObject } from "../../../kernel/canonical.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import type { RpcFrame, RpcLog } from "../../../model/case-file.ts";
import { readCallFrame } from "../../network/rpc/call-tree.ts";
import type { RpcAnswer } from "../../network/rpc/endpoint.ts";
import { quantityHex } from "../../network/rpc/rpc-objects.ts";
import type { PreviewRequest } from "../preview-request.ts";
import { readUnrun, type SimulatedRun } from "./simulated-run.ts";

/** `debug_traceCall`, as receipt and call tree. */
export function readCallTrace(answer: RpcAnswer | undefined, request: PreviewRequest): SimulatedRun {
  if (answer?.ok !== true) return readUnrun(answer);
  const root = readCallFrame(answer.result, request.from);
  if (root === undefined) return { kind: "failed" };
  const stands = root.error === undefined;
  const logs: RpcLog[] = [];
  if (stands) gatherLogs(root, logs);
  const gasUsed = readQuantity(readObject(answer.result)?.gasUsed);
  const receipt = {
    status: stands ? "0x1" : "0x0",
    ...(gasUsed === undefined ? {} : { gasUsed: quantityHex(gasUsed) }),
    contractAddress: request.to === null && stands ? (root.to ?? null) : null,
    logs: logs.map((log, i) => ({ ...log, logIndex: quantityHex(BigInt(i)) })),
  };
  return { kind: "ran", receipt, trace: { source: "debug_traceCall", root } };
}

/** Not of failed calls; in order. `position`: before which inner call. */
function gatherLogs(frame: RpcFrame, found: RpcLog[]): void {
  const calls = frame.calls ?? [];
  const logs = frame.logs ?? [];
  let next = 0;
  for (let i = 0; i <= calls.length; i++) {
    for (let log = logs[next]; log !== undefined; log = logs[++next]) {
      if (i < calls.length && positionOf(log) > i) break;
      found.push({ address: log.address, topics: log.topics, data: log.data });
    }
    const child = calls[i];
    if (child !== undefined && child.error === undefined) gatherLogs(child, found);
  }
}

function positionOf({ position }: { position?: string }): number {
  return Number(readQuantity(position) ?? 0n);
}
