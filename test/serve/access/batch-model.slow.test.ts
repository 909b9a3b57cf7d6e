import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash, Hex } from "../../../src/kernel/hex.ts";
import type { Parts } from "../../../src/serve/access/parts.ts";
import { createPasses } from "../../../src/serve/access/quota/pass.ts";
import { type MeteredServer, openMeteredServer, passSecret, payTo, publicUrl } from "../../support/metered-server.ts";
import { encode } from "../../support/payer.ts";
import { caseFileOf, explanationOf, hashOf } from "../../support/sample.ts";
import { payment as paymentRow, rich } from "./ledger/sample-payment.ts";

const freePerDay = 3;
const passCalls = 2;
const nowhere = "http://127.0.0.1:1";
const asset = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const payer = `0x${"22".repeat(20)}`;

/** One request: its transactions, how it is paid, and which of them have no answer at that time. */
interface Ask {
  hashes: number[];
  /** Which of the payments of the run is shown; null: none. */
  payment: 0 | 1 | null;
  pass: boolean;
  away: number[];
}

const ask: fc.Arbitrary<Ask> = fc.record({
  hashes: fc.array(fc.nat(9), { minLength: 1, maxLength: 8 }),
  payment: fc.constantFrom(0, 1, null),
  pass: fc.boolean(),
  away: fc.uniqueArray(fc.nat(9), { maxLength: 6 }),
});
const plan = fc.record({
  /** The lines that each payment is signed for. */
  lines: fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 })),
  asks: fc.array(ask, { minLength: 1, maxLength: 8 }),
});

let server: MeteredServer;
let runs = 0;
/** The transactions that settled payments, by nonce. Each settlement adds one. */
const settled = new Map<string, string[]>();
let away = new Set<Hash>();

/** A chain that takes every payment, and a facilitator that sends it. */
function replaceOutside(parts: Parts): Parts {
  const chain: Parts["chain"] = {
    readAuthorization: async ({ nonce }) => {
      const [transaction] = settled.get(nonce) ?? [];
      if (transaction === undefined) return { state: "open" };
      return { state: "settled", transaction: transaction as Hex, sender: "0x01", block: 99, time: 5 };
    },
    look: async ({ nonce }) => ({ block: 100, used: settled.has(nonce), balance: rich }),
    blockBefore: async () => 100,
    timeOf: async () => 5,
    gasBalance: async () => 1n,
    isSignedBy: async () => false,
    hasAuthorized: async () => true,
  };
  const facilitator: Parts["facilitator"] = {
    verify: async () => ({ valid: true }),
    async settle({ payload }) {
      const { nonce } = payload.authorization as { nonce: string };
      const transaction = `0x${randomBytes(32).toString("hex")}`;
      settled.set(nonce, [...(settled.get(nonce) ?? []), transaction]);
      return { status: "settled", transaction };
    },
    supports: async () => true,
  };
  return { ...parts, chain, facilitator };
}

beforeAll(async () => {
  server = await openMeteredServer({
    ...{ rpcUrl: nowhere, facilitator: { kind: "http", url: nowhere }, change: replaceOutside },
    settings: { freeCallsPerDay: freePerDay, trustProxy: ["loopback"] },
    gather: async (hash) => {
      if (away.has(hash)) throw new ServiceError("upstream_unavailable");
      return caseFileOf(hash);
    },
  });
});
afterAll(() => server?.close());

/** A client of its own, with two payments and a pass. */
async function openRun(lines: readonly number[]) {
  const run = ++runs;
  const { ledger } = server.parts;
  const passes = createPasses({ ledger, secrets: [passSecret], now: Date.now });
  const key = `pass ${run}`;
  const expiry = Math.floor(Date.now() / 1000);
  const pass = passes.issue(key, { seconds: 9_000, calls: passCalls }, expiry);
  await ledger.openPayment(paymentRow(key, { product: "pass" }), rich);
  await ledger.settlePayment(key, { transaction: "0x01", now: 1, pass });
  const sold = await ledger.findPassOf(key);
  const token = sold === undefined ? "" : String(passes.describe(sold)?.pass_token);
  const payments = lines.map((count) => {
    const amount = String(count * 20_000);
    const accepted = { scheme: "exact", network: "eip155:8453", amount, asset, payTo, maxTimeoutSeconds: 120 };
    const nonce = `0x${randomBytes(32).toString("hex")}`;
    const validBefore = String(Math.floor(Date.now() / 1000) + 100);
    const authorization = { from: payer, to: payTo, value: amount, validAfter: "0", validBefore, nonce };
    const extra = { name: "USD Coin", version: "2" };
    const resource = { url: `${publicUrl}/explain/batch` };
    const payload = { signature: "0x01", authorization };
    const name = `eip155:8453|${asset}|${payer}|${nonce}`.toLowerCase();
    return { nonce, name, header: encode({ x402Version: 2, resource, accepted: { ...accepted, extra }, payload }) };
  });
  // The service remembers answers, so each run uses its own transactions.
  const hashesOf = (numbers: readonly number[]) => numbers.map((number) => hashOf(run * 100 + number));
  async function send(one: Ask) {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      "x-forwarded-for": `2001:db8:${run.toString(16)}::1`,
      ...(one.pass && { "x-svc-pass": token }),
      ...(one.payment !== null && { "payment-signature": payments[one.payment]?.header ?? "" }),
    };
    const body = JSON.stringify({ tx_hashes: hashesOf(one.hashes) });
    const reply = await fetch(`${server.url}/explain/batch`, { method: "POST", headers, body });
    const text = await reply.text();
    const free = Number(/r=(\d+)/.exec(String(reply.headers.get("ratelimit")))?.[1]);
    if (reply.status !== 200) return { status: reply.status, error: JSON.parse(text).error as string, free, lines: [] };
    return { status: 200, error: "", free, lines: text.slice(0, -1).split("\n") };
  }
  const usedOfPass = async () => (await ledger.findPass(pass.id))?.used ?? 0;
  return { payments, send, usedOfPass, hashesOf };
}

/** A model: a batch in one short function. The product must behave the same. */
class Model {
  free = freePerDay;
  pass = passCalls;
  readonly known = new Set<number>();
  readonly payments: { lines: number; settled: boolean; bought: Set<number> }[];

  constructor(lines: readonly number[]) {
    this.payments = lines.map((count) => ({ lines: count, settled: false, bought: new Set() }));
  }

  send({ hashes, payment, pass, away: missing }: Ask): { error: string } | { answered: Set<number> } {
    const shown = payment === null ? undefined : this.payments[payment];
    const credit = shown?.settled ? shown : undefined;
    const open = [...new Set(hashes)].filter((hash) => !credit?.bought.has(hash));
    const free = Math.min(this.free, open.length);
    const ofPass = pass ? Math.min(this.pass, open.length - free) : 0;
    const toPay = open.length - free - ofPass;
    if (toPay > 0) {
      if (shown === undefined) return { error: "free_allowance_used" };
      if (credit !== undefined && credit.lines - credit.bought.size < toPay) return { error: "credit_too_small" };
      if (credit === undefined && shown.lines < toPay) return { error: "payment_mismatch" };
    }
    // A transaction that was explained before is remembered, so it has an answer even while its source is down.
    const made = open.filter((hash) => this.known.has(hash) || !missing.includes(hash));
    for (const hash of made) this.known.add(hash);
    for (const [place, hash] of made.entries()) {
      if (place < free) this.free--;
      else if (place < free + ofPass) this.pass--;
      else if (shown !== undefined) {
        shown.settled = true;
        shown.bought.add(hash);
      }
    }
    return { answered: new Set([...made, ...(credit?.bought ?? [])]) };
  }
}

describe("a batch with every way to pay", { timeout: 60_000 }, () => {
  it("does the same as a model of ten lines, request after request", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ lines, asks }) => {
        const { payments, send, usedOfPass, hashesOf } = await openRun(lines);
        const model = new Model(lines);
        for (const one of asks) {
          away = new Set(hashesOf(one.away));
          const expected = model.send(one);
          const reply = await send(one);
          if ("error" in expected) expect(reply.error.split(", ").at(-1)).toBe(expected.error);
          else {
            expect(reply.status).toBe(200);
            const all = hashesOf(one.hashes);
            for (const [place, number] of one.hashes.entries()) {
              const hash = all[place] as Hash;
              if (expected.answered.has(number)) expect(reply.lines[place]).toBe(JSON.stringify(explanationOf(hash)));
              else expect(reply.lines[place]).toContain('"error":"upstream_unavailable"');
            }
            expect(reply.lines).toHaveLength(one.hashes.length);
          }
          for (const [index, { name, nonce }] of payments.entries()) {
            const held = model.payments[index];
            expect(settled.get(nonce)?.length ?? 0).toBe(held?.settled ? 1 : 0);
            const bought = hashesOf([...(held?.bought ?? [])]).sort();
            expect((await server.parts.ledger.listLines(name)).sort()).toEqual(bought);
          }
          // Calls that were held and not used are given back right after the last line.
          await vi.waitFor(async () => expect(await usedOfPass()).toBe(passCalls - model.pass), { interval: 1 });
        }
        const price = await send({ hashes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], payment: null, pass: false, away: [] });
        expect(price.free).toBe(model.free);
      }),
      { numRuns: 60 },
    );
  });

  it("all at once: no client gets more than it has, and a payment is settled once", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ lines, asks }) => {
        away = new Set();
        const { payments, send, usedOfPass } = await openRun(lines);
        const replies = await Promise.all(asks.map(send));
        let paid = 0;
        for (const [index, { name, nonce }] of payments.entries()) {
          const bought = await server.parts.ledger.listLines(name);
          expect(bought.length).toBeLessThanOrEqual(lines[index] as number);
          expect(settled.get(nonce)?.length ?? 0).toBeLessThanOrEqual(1);
          paid += bought.length;
        }
        const after = await send({ hashes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], payment: null, pass: false, away: [] });
        const charged = freePerDay - after.free + (await usedOfPass()) + paid;
        let answered = 0;
        for (const { lines: told } of replies)
          answered += new Set(told.filter((line) => !line.includes('"error"'))).size;
        // Lines that a payment had bought before are told again for free. Every other line is charged once.
        expect(charged).toBeLessThanOrEqual(answered);
        if (paid === 0) expect(charged).toBe(answered);
      }),
      { numRuns: 40 },
    );
  });
});
