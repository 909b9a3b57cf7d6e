import type { IncomingHttpHeaders } from "node:http";
import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { Outcome } from "./outcome.ts";

type Json = Record<string, unknown>;

/** What `tools/list` shows of a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Json>;
  readonly outputSchema?: Readonly<Json>;
  readonly annotations?: Readonly<Record<string, boolean>>;
}

/** One HTTP request, as far as a tool may want to know it. */
export interface Caller {
  /** Address of the other end of the connection. */
  readonly remote: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface ToolCall {
  /** As given: a tool reads its arguments itself. */
  readonly arguments: Readonly<Json>;
  readonly meta: Readonly<Json>;
  readonly caller: Caller;
}

/** `call` never throws and never rejects: what goes wrong is an outcome too. */
export interface Tool {
  readonly definition: ToolDefinition;
  call(call: ToolCall): MaybePromise<Outcome>;
}
