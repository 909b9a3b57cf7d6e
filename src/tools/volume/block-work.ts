import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Config } from "../../serve/settings/config.ts";
import type { LineBlock } from "./line-blocks.ts";

/** The work of a filter's threads. */
export interface FilterWork {
  config: Config;
  /** Whether hashes are looked up on the network. Otherwise only recordings answer them. */
  asks: boolean;
  /** Whether each answer has its evidence, as one more field. */
  evidence: boolean;
  threads: number;
}

/** A block of lines for a thread. */
export type BlockWork = Pick<LineBlock, "first" | "lines" | "bytes">;

/** The answers to a block's lines. */
export interface BlockAnswer {
  bytes: Uint8Array;
  /** How many lines these are, how many of them are error objects, and how many rest on a recording although the network was asked. */
  answers: number;
  failures: number;
  recorded: number;
}

/** A message to a thread: a block, with a number. */
export interface BlockRequest {
  id: number;
  block: Pick<BlockWork, "first" | "bytes">;
}

/** A message from a thread. `refused`: the rules or labels have errors, and the thread ends. */
export type BlockReply =
  | { what: "answered"; id: number; answer: BlockAnswer }
  | { what: "refused"; errors: Diagnostic[] };
