import type { Diagnostic } from "../model/diagnostic.ts";
import type { Config } from "../settings/config.ts";
import type { LineBlock } from "./line-blocks.ts";

/** What the threads of a filter do. */
export interface FilterWork {
  config: Config;
  /** Whether hashes are asked of the network. Otherwise only recordings answer them. */
  asks: boolean;
  /** Whether each answer has its evidence beside it, as one more field. */
  evidence: boolean;
  threads: number;
}

/** Lines for a thread. */
export type BlockWork = Pick<LineBlock, "first" | "lines" | "bytes">;

/** The lines that answer a block. */
export interface BlockAnswer {
  bytes: Uint8Array;
  /** How many lines that are, how many of them are error objects, and how many rest on a recording though the network was asked. */
  answers: number;
  failures: number;
  recorded: number;
}

/** What a thread is asked, by number. */
export interface BlockRequest {
  id: number;
  block: Pick<BlockWork, "first" | "bytes">;
}

/** Its answer. `refused`: the rules or labels have errors, and it ends. */
export type BlockReply =
  | { what: "answered"; id: number; answer: BlockAnswer }
  | { what: "refused"; errors: Diagnostic[] };
