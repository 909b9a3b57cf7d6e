import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Config } from "../../serve/settings/config.ts";
import type { LineBlock } from "./line-blocks.ts";

export interface FilterWork {
  config: Config;
  /** Look hashes up on the network, not only in recordings. */
  asks: boolean;
  /** As one more field. */
  evidence: boolean;
  threads: number;
}

export type BlockWork = Pick<LineBlock, "first" | "lines" | "bytes">;

export interface BlockAnswer {
  bytes: Uint8Array;
  /** Of the answers: all, error objects, and those on a recording although the network was asked. */
  answers: number;
  failures: number;
  recorded: number;
}

export interface BlockRequest {
  id: number;
  block: Pick<BlockWork, "first" | "bytes">;
}

/** `refused`: rules or labels have errors, and the thread ends. */
export type BlockReply =
  | { what: "answered"; id: number; answer: BlockAnswer }
  | { what: "refused"; errors: Diagnostic[] };
