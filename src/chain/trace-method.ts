import type { Trace } from "../model/case-file.ts";
import { readCallFrame } from "./call-frame.ts";
import type { Endpoint, RpcAnswer, RpcCall } from "./endpoint.ts";
import { buildCallTree } from "./flat-trace.ts";

export type TraceMethod = "debug_traceTransaction" | "trace_transaction";

/** The call that asks for a transaction's call tree. The tracer is told to give up before we do, so that a batch survives it. */
export function traceCall(method: TraceMethod, hash: string, callTimeoutMs: number): RpcCall {
  if (method === "trace_transaction") return { method, params: [hash] };
  const timeout = `${Math.floor(callTimeoutMs * 0.7)}ms`;
  return { method, params: [hash, { tracer: "callTracer", tracerConfig: { withLog: true }, timeout }] };
}

/** True when the endpoint said, not long ago, that it has no such method. */
export function lacks(endpoint: Endpoint, method: TraceMethod): boolean {
  return endpoint.knows(`no ${method}`);
}

/** The call tree, or undefined; what the answer tells about the endpoint is remembered. */
export function readTraceAnswer(
  answer: RpcAnswer | undefined,
  { endpoint, method, sender }: { endpoint: Endpoint; method: TraceMethod; sender: string },
): Trace | undefined {
  if (answer === undefined) return undefined;
  if (!answer.ok) {
    if (isMissingMethod(answer)) endpoint.learn(`no ${method}`);
    return undefined;
  }
  const build = method === "trace_transaction" ? buildCallTree : readCallFrame;
  const root = build(answer.result, sender);
  if (root === undefined) return undefined;
  endpoint.forget(`no ${method}`);
  return { source: method, root };
}

/** JSON-RPC -32601, EIP-1474 -32004, and the words of providers that use other codes for what a plan does not include. */
function isMissingMethod(answer: { code: number | null; message: string }): boolean {
  if (answer.code === -32601 || answer.code === -32004) return true;
  return (
    /\b(?:method|namespace|module|api|debug_\w+|trace_\w+)\b/i.test(answer.message) &&
    /not (?:found|exist|available|supported|allowed|enabled|whitelisted)|unsupported|unavailable|disabled|restricted|upgrade/i.test(
      answer.message,
    )
  );
}
