import type { Trace } from "../../../model/case-file.ts";
import { buildCallTree, readCallFrame } from "./call-tree.ts";
import type { Endpoint, RpcAnswer, RpcCall } from "./endpoint.ts";

export const traceMethods = ["debug_traceTransaction", "trace_transaction"] as const;
export type TraceMethod = (typeof traceMethods)[number];

/** By some methods, at one endpoint. */
export interface TraceQuestion {
  endpoint: Endpoint;
  methods: readonly TraceMethod[];
  hash: string;
}

/** With the call tree of the same batch. */
export interface TracedAnswers {
  answers: RpcAnswer[];
  /** The first whose root is from `sender`. */
  readTrace(sender: string): Trace | undefined;
}

/** `again`: too slow, perhaps because of the trace: the endpoint may be asked once more without. Undefined: no answer. */
export async function askWithTraces(
  calls: readonly RpcCall[],
  question: TraceQuestion,
  signal: AbortSignal,
): Promise<TracedAnswers | "again" | undefined> {
  const { endpoint, methods } = question;
  const answers = await endpoint.ask([...calls, ...traceCalls(question)], signal);
  if (answers === "timeout" && calls.length > 0 && methods.length > 0) {
    endpoint.health.rest("slow", slowMs, "traces");
    return "again";
  }
  if (typeof answers === "string") return undefined;
  const readTrace = (sender: string) =>
    methods
      .map((method, i) => readOne(answers[calls.length + i], { endpoint, method, sender }))
      .find((trace) => trace !== undefined);
  return { answers: answers.slice(0, calls.length), readTrace };
}

/** Said so in the last ten minutes. */
export function lacks(endpoint: Endpoint, method: TraceMethod): boolean {
  return endpoint.health.rests(method);
}

/** Too slow within the last minute. */
export function tracesSlowly(endpoint: Endpoint): boolean {
  return endpoint.health.rests("traces");
}

const slowMs = 60_000;
const missingMs = 600_000;

/** Shorter limit than the batch, so that the rest still comes. */
function traceCalls({ endpoint, methods, hash }: TraceQuestion): RpcCall[] {
  const timeout = `${Math.floor(endpoint.callTimeoutMs * 0.7)}ms`;
  const options = { tracer: "callTracer", tracerConfig: { withLog: true }, timeout };
  return methods.map((method) => ({ method, params: method === "trace_transaction" ? [hash] : [hash, options] }));
}

/** Notes in its health what it shows of the endpoint. */
function readOne(
  answer: RpcAnswer | undefined,
  { endpoint, method, sender }: { endpoint: Endpoint; method: TraceMethod; sender: string },
): Trace | undefined {
  if (answer === undefined) return undefined;
  if (!answer.ok) {
    if (isMissingMethod(answer)) endpoint.health.rest("missing", missingMs, method);
    return undefined;
  }
  const root = (method === "trace_transaction" ? buildCallTree : readCallFrame)(answer.result, sender);
  if (root === undefined) return undefined;
  endpoint.health.succeed(method);
  if (!tracesSlowly(endpoint)) endpoint.health.succeed("traces");
  return { source: method, root };
}

export function noteMissing(endpoint: Endpoint, method: string): void {
  endpoint.health.rest("missing", missingMs, method);
}

/** JSON-RPC -32601, EIP-1474 -32004, or providers' messages about plans. */
export function isMissingMethod(answer: { code: number | null; message: string }): boolean {
  if (answer.code === -32601 || answer.code === -32004) return true;
  return (
    /\b(?:method|namespace|module|api|debug_\w+|trace_\w+)\b/i.test(answer.message) &&
    /not (?:found|exist|available|supported|allowed|enabled|whitelisted)|unsupported|unavailable|disabled|restricted|upgrade/i.test(
      answer.message,
    )
  );
}
