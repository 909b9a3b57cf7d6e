import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import type { Caller } from "../service/caller.ts";
import type { ToolResponse } from "./tool-response.ts";

type Json = Record<string, unknown>;

/** The description of a tool in `tools/list`. */
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
  /** The arguments as they were sent. Each tool reads its own. */
  readonly arguments: Readonly<Json>;
  /** The caller, with the `_meta` of the call. */
  readonly caller: Caller;
}

/** A tool. `call` never throws and never rejects: a failure is a response too. */
export interface Tool {
  readonly definition: ToolDefinition;
  call(call: ToolCall): MaybePromise<ToolResponse>;
}
