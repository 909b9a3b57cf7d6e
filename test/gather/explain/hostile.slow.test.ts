import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createChainlinkPrice } from "../../../src/gather/lookup/price/price.ts";
import { readCase, writeCase } from "../../../src/gather/recordings/case-format.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import {
  alice,
  callTrace,
  chainFixture,
  chainMethods,
  flatTrace,
  tokenAddress,
} from "../../support/rpc-server-chain.ts";
import { openGatherer } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";

const hash = hashOf(1);
const honest = chainFixture();
const subjects = {
  eth_getTransactionByHash: honest.transactions.get(hash)?.transaction,
  eth_getTransactionReceipt: honest.transactions.get(hash)?.receipt,
  eth_getBlockByNumber: { number: "0x64", hash: hashOf(0xb10c), timestamp: "0x6553f100" },
  eth_call: `0x${"00".repeat(96)}`,
  debug_traceTransaction: callTrace,
  trace_transaction: flatTrace,
  explorer: {
    items: [{ from: { hash: alice }, to: null, value: "1", type: "call", success: true }],
    next_page_params: null,
  },
};

type Method = keyof typeof subjects;

const poison = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>("0x", "0xzz", "0x1", "-1", 1e300, "1e5", "0x".padEnd(66, "f"), alice, [], {}, null),
  fc.constantFrom("\u202Eevil", "<script>", "\u0000").map((text) => ({ [text]: text })),
);

/** An honest answer with one value somewhere inside replaced; at depth 0 the whole. */
function spoil(value: unknown, path: readonly number[], bad: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== "object" || value === null) return bad;
  const keys = Object.keys(value);
  if (keys.length === 0) return bad;
  const key = keys[step % keys.length] as string;
  const copy = Object.assign(Array.isArray(value) ? [] : {}, value) as Record<string, unknown>;
  copy[key] = spoil(copy[key], rest, bad);
  return copy;
}

it("for every answer of an endpoint or an explorer there is a valid case or one of the three failures", {
  timeout: 90_000,
}, async () => {
  let spoilt: { method: Method; answer: unknown } | undefined;
  const pick = (method: Method, otherwise: unknown) => (spoilt?.method === method ? spoilt.answer : otherwise);
  const methods = { ...chainMethods(honest) };
  for (const method of Object.keys(subjects) as Method[]) {
    const usual = methods[method];
    methods[method] = (...params) => pick(method, usual === undefined ? null : usual(...params));
  }
  const server = await startRpcServer({
    methods,
    explorer: () => ({ status: 200, body: pick("explorer", { items: [], next_page_params: null }) }),
  });
  const dir = mkdtempSync(join(tmpdir(), "cases-"));
  const outcomes = new Map<string, number>();
  const trial = fc.record({
    method: fc.constantFrom(...(Object.keys(subjects) as Method[])),
    path: fc.array(fc.nat(30), { maxLength: 5 }),
    bad: poison,
  });
  await fc.assert(
    fc.asyncProperty(trial, async ({ method, path, bad }) => {
      spoilt = { method, answer: spoil(subjects[method], path, bad) };
      const gatherer = openGatherer([server.url], {
        blockscoutUrl: server.url,
        planLookups: () => ({ tokens: [tokenAddress], reads: [{ to: tokenAddress, data: "0x01" }] }),
        price: createChainlinkPrice(alice),
      });
      const outcome = await gatherer.gather(hash).catch((error: unknown) => error);
      gatherer.close();
      if (outcome instanceof ServiceError) {
        outcomes.set(outcome.code, (outcomes.get(outcome.code) ?? 0) + 1);
        expect(["transaction_not_found", "transaction_pending", "upstream_unavailable"]).toContain(outcome.code);
        return;
      }
      expect(outcome).not.toBeInstanceOf(Error);
      const written = await writeCase(dir, outcome as never);
      expect(await readCase(written)).toEqual(outcome);
      outcomes.set("case", (outcomes.get("case") ?? 0) + 1);
    }),
    { numRuns: 300 },
  );
  expect(outcomes.get("case")).toBeGreaterThan(20);
  expect(outcomes.get("upstream_unavailable")).toBeGreaterThan(5);
});
