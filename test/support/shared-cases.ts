import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { readCallFrame } from "../../src/gather/network/rpc/call-tree.ts";
import { readBlock, readReceipt, readTransaction } from "../../src/gather/network/rpc/rpc-objects.ts";
import { readHash } from "../../src/kernel/hex.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { runTxgloss } from "../tools/cli/txgloss-process.ts";
import { caseFileOf } from "./sample.ts";
import { findShared } from "./shared.ts";

/** Complete call trees of other chains as case files. Undefined where the shared folder does not exist. */
export function readSharedTraces(): CaseFile[] | undefined {
  const dir = findShared("corpus-traces");
  if (dir === undefined) return undefined;
  return readdirSync(dir).flatMap((name) => {
    const record = JSON.parse(readFileSync(join(dir, name), "utf8"));
    const hash = readHash(record.hash);
    if (hash === undefined) return [];
    const transaction = readTransaction(record.transaction, hash);
    const receipt = readReceipt(record.receipt, hash);
    const block = readBlock(record.block, {});
    const root = readCallFrame(record.trace, record.transaction.from);
    if (transaction === undefined || receipt === undefined || block === undefined || root === undefined) return [];
    return [{ ...caseFileOf(hash), transaction, receipt, block, trace: { source: "debug_traceTransaction", root } }];
  });
}

/**
 * Writes the shared transactions as case files below a folder. There are two sets: recent transactions of Base, recorded through the shared
 * replay node as `txgloss record` does, and traces of other chains. Gives `NAME=DIR` for each set that exists.
 */
export async function writeSharedCases(dir: string): Promise<string[]> {
  const traces = readSharedTraces();
  const replay = findShared("tools/replay-rpc.mjs");
  const recent = ["tx", "unlabelled"].flatMap((name) => findShared("recent", name) ?? []);
  const sets: string[] = [];
  if (traces !== undefined) {
    const folder = makeFolder(dir, "traces");
    for (const file of traces) writeFileSync(join(folder, `${file.tx_hash}.json`), JSON.stringify(file));
    sets.push(`shared/traces=${folder}`);
  }
  if (replay !== undefined && recent.length > 0) {
    const folder = makeFolder(dir, "recent");
    await recordThrough(replay, recent, folder);
    sets.push(`shared/recent=${folder}`);
  }
  return sets;
}

async function recordThrough(replay: string, records: readonly string[], dir: string): Promise<void> {
  const node = spawn(process.execPath, [replay, "--dir", records.join(","), "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await firstUrl(node.stdout);
    const hashes = records.flatMap((folder) => readdirSync(folder)).map((name) => name.replace(/\.json$/, ""));
    const args = ["record", ...hashes, "--rpc", url, "--dir", dir];
    const { code, stderr } = await runTxgloss(args, { BLOCKSCOUT_URL: url, LOOKUPS: "off" });
    if (code !== 0) throw new Error(`txgloss record failed: ${stderr.slice(0, 500)}`);
  } finally {
    node.kill();
  }
}

async function firstUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) return JSON.parse(line).url as string;
  throw new Error("the replay node ended before it listened");
}

function makeFolder(dir: string, name: string): string {
  const folder = join(dir, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
