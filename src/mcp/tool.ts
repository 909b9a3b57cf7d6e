import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { Caller } from "../service/caller.ts";
import type { ToolResponse } from "./tool-response.ts";

type Json = Record<string, unknown>;

/** What `tools/list` shows of a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Json>;
  readonly outputSchema?: Readonly<Json>;
  readonly annotations?: Readonly<Record<string, boolean>>;
  readonly _meta?: Readonly<Json>;
}

export interface ToolCall {
  /** As they came. Each tool reads its own arguments. */
  readonly arguments: Readonly<Json>;
  /** With the `_meta` of the call. */
  readonly caller: Caller;
}

/** `call` never throws and never rejects: a failure is a response too. */
export interface Tool {
  readonly definition: ToolDefinition;
  call(call: ToolCall): MaybePromise<ToolResponse>;
}
