import type { Caller } from "../service/caller.ts";
import type { ToolResponse } from "./tool-response.ts";

type Json = Record<string, unknown>;

/** For `tools/list`. */
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
  /** As sent. */
  readonly arguments: Readonly<Json>;
  /** With `_meta`. */
  readonly caller: Caller;
}

/** `call` never rejects: failures are responses. */
export interface Tool {
  readonly definition: ToolDefinition;
  call(call: ToolCall): Promise<ToolResponse>;
}
