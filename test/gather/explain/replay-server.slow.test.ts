import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { createChainlinkPrice } from "../../../src/gather/lookup/price/price.ts";
import { readCase, writeCase } from "../../../src/gather/recordings/case-format.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import { type Hash, readHash } from "../../../src/kernel/hex.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { openGatherer } from "../../support/rpc-server-gatherer.ts";
import { findShared } from "../../support/shared.ts";

const script = findShared("tools", "replay-rpc.mjs");
const corpus = findShared("corpus", "tx");
const feed = toAddress("0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70");

/** Starts the shared replay server on a free port; it ends with the test. */
async function startReplay(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [script ?? "", "--dir", corpus ?? "", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line).url;
  throw new Error("the replay server said nothing");
}

function setFault(url: string, fault: string | null): Promise<unknown> {
  return fetch(`${url}/fault`, { method: "POST", body: JSON.stringify({ fault }) }).then((response) => response.json());
}

const hashes = (corpus === undefined ? [] : readdirSync(corpus)).flatMap((name): Hash[] => {
  const hash = readHash(name.replace(".json", ""));
  return hash === undefined ? [] : [hash];
});

const planEmitters = ({ receipt }: CaseFile) => ({
  tokens: receipt.logs.map(({ address }) => toAddress(address)),
  reads: [],
});

describe.skipIf(script === undefined || corpus === undefined)("the recorded corpus", () => {
  it("is gathered whole, as cases that satisfy the schema", async () => {
    const url = await startReplay();
    const gatherer = openGatherer([url], {
      blockscoutUrl: url,
      planLookups: planEmitters,
      price: createChainlinkPrice(feed),
      clock: Date,
    });
    const dir = mkdtempSync(join(tmpdir(), "cases-"));
    const sources: Record<string, number> = {};
    for (const hash of hashes) {
      const found = await gatherer.gather(hash);
      expect(await readCase(await writeCase(dir, found))).toEqual(found);
      expect(found.block.timestamp, hash).toBeDefined();
      sources[found.trace.source] = (sources[found.trace.source] ?? 0) + 1;
    }
    expect(hashes.length).toBeGreaterThan(100);
    expect(sources).toMatchObject({ debug_traceTransaction: 8 });
    expect(sources.internal_transfers).toBeGreaterThan(30);
  });

  it("is still gathered without traces", async () => {
    const url = await startReplay("--no-trace");
    const found = await openGatherer([url], { blockscoutUrl: url, planLookups: planEmitters }).gather(
      hashes[0] as Hash,
    );
    expect(["internal_transfers", "none"]).toContain(found.trace.source);
  });

  it("is gathered from the second server for every fault of the first", async () => {
    const [bad, good] = [await startReplay(), await startReplay()];
    for (const fault of ["garbage", "ratelimit", "http500", "null", "hang"]) {
      await setFault(bad, fault);
      const gatherer = openGatherer([bad, good], { planLookups: planEmitters, callTimeoutMs: 1_000 });
      const found = await gatherer.gather(hashes[1] as Hash);
      expect(found.tx_hash, fault).toBe(hashes[1]);
    }
  });

  it("is an upstream failure if the only server fails, for every fault", async () => {
    const url = await startReplay();
    for (const fault of ["garbage", "ratelimit", "http500", "null", "hang"]) {
      await setFault(url, fault);
      const gatherer = openGatherer([url], { callTimeoutMs: 100, deadlineMs: 300 });
      await expect(gatherer.gather(hashes[0] as Hash), fault).rejects.toMatchObject({ code: "upstream_unavailable" });
    }
    await setFault(url, null);
    await expect(openGatherer([url]).gather(readHash(`0x${"9".repeat(64)}`) as Hash)).rejects.toMatchObject({
      code: "transaction_not_found",
    });
  });
});
