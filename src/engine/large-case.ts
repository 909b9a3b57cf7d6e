import { serviceLimits } from "../kernel/limits.ts";
import type { CaseFile, CaseFileV1, RpcFrame } from "../model/case-file.ts";

/** Whether deciding a case may block the event loop for too long. This check itself stops as soon as a limit is passed. */
export function isLarge({ transaction, receipt, trace }: CaseFile | CaseFileV1): boolean {
  const { logs } = receipt;
  if (logs.length > serviceLimits.hereLogsMax) return true;
  if ((transaction.authorizationList?.length ?? 0) > serviceLimits.hereAuthorizationsMax) return true;
  let digits = transaction.input.length;
  for (const log of logs) digits += log.data.length;
  if (digits > serviceLimits.hereBytesMax * 2) return true;
  return "root" in trace && hasMoreFrames(trace.root);
}

/**
 * How large a case is: the sum of its logs, call frames, bytes and authorizations, each as a share of what is decided here at most. So
 * 1 is about the largest case that is decided without another thread, and the time for deciding grows with this number.
 */
export function sizeOfCase({ transaction, receipt, trace }: CaseFile | CaseFileV1): number {
  let frames = 0;
  let digits = transaction.input.length;
  for (const log of receipt.logs) digits += log.data.length;
  const open: RpcFrame[] = "root" in trace ? [trace.root] : [];
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    frames++;
    digits += frame.input?.length ?? 0;
    for (const call of frame.calls ?? []) open.push(call);
  }
  const { hereLogsMax, hereFramesMax, hereBytesMax, hereAuthorizationsMax } = serviceLimits;
  const authorizations = (transaction.authorizationList?.length ?? 0) / hereAuthorizationsMax;
  return receipt.logs.length / hereLogsMax + frames / hereFramesMax + digits / 2 / hereBytesMax + authorizations;
}

function hasMoreFrames(root: RpcFrame): boolean {
  const open: RpcFrame[] = [root];
  let frames = 1;
  let digits = 0;
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    frames += frame.calls?.length ?? 0;
    digits += frame.input?.length ?? 0;
    if (frames > serviceLimits.hereFramesMax || digits > serviceLimits.hereBytesMax * 2) return true;
    for (const call of frame.calls ?? []) open.push(call);
  }
  return false;
}
