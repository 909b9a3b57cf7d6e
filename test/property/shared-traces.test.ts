import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/decide.ts";
import { readHash } from "../../src/kernel/hex.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { readCallFrame } from "../../src/network/rpc/call-frame.ts";
import { readBlock, readReceipt, readTransaction } from "../../src/network/rpc/rpc-objects.ts";
import { normalize } from "../../src/normalize/normalize.ts";
import { caseFileOf } from "../support/sample.ts";
import { findShared } from "../support/shared.ts";
import { expectSound } from "./invariants.ts";
import { labels, ruleset } from "./world.ts";

const dir = findShared("corpus-traces");

/** Whole call trees of other chains: no rule of ours is about them, but every one must be read soundly. */
function readAll(from: string): CaseFile[] {
  return readdirSync(from).flatMap((name) => {
    const record = JSON.parse(readFileSync(join(from, name), "utf8"));
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

describe.skipIf(dir === undefined)("every shared call tree", () => {
  const cases = dir === undefined ? [] : readAll(dir);

  it("is there", () => {
    expect(cases.length).toBeGreaterThan(60);
  });

  it.each(cases.map((file) => [file.tx_hash, file] as const))("%s is explained soundly", (_hash, file) => {
    expectSound(file);
    // Nothing that a wrapper of ours should have opened stays shut.
    const { calls } = decide(file, ruleset, labels).evidence();
    expect(calls.filter(({ state }) => state === "opaque")).toEqual([]);
    const tx = normalize(file, labels);
    expect(tx.traced && tx.nativeComplete).toBe(true);
    // A tree is one: every frame is called by an earlier one, and its depth is one more.
    for (const call of tx.calls.slice(1)) {
      expect(call.parent).toBeLessThan(call.index);
      expect(call.depth).toBe((tx.calls[call.parent]?.depth ?? Number.NaN) + 1);
      if (call.ok) expect(tx.calls[call.parent]?.ok).toBe(true);
    }
  });
});
