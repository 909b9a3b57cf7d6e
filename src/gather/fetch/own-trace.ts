import type { RpcReceipt, RpcTransaction, Trace } from "../../model/case-file.ts";
import type { Endpoint } from "../network/rpc/endpoint.ts";
import type { TracedAnswers } from "../network/rpc/trace-method.ts";
import { contradictsTrace } from "./contradiction.ts";
import { noteInconsistent } from "./inconsistent.ts";

/** The call tree of these answers; undefined: none, or that of another transaction, which is noted. */
export function readOwnTrace(
  told: TracedAnswers,
  record: { transaction: RpcTransaction; receipt: RpcReceipt },
  endpoint: Endpoint,
): Trace | undefined {
  const trace = told.readTrace(record.transaction.from);
  if (trace === undefined || !("root" in trace) || !contradictsTrace(trace.root, record)) return trace;
  noteInconsistent(endpoint);
  return undefined;
}
