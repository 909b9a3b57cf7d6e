import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Ledger, openLedger } from "../../../src/serve/access/ledger/ledger.ts";
import type { PaymentRow } from "../../../src/serve/access/ledger/rows.ts";
import type { AuthorizationState } from "../../../src/serve/access/payment/authorization-state.ts";
import { createSettler } from "../../../src/serve/access/payment/settler.ts";
import type { TokenChain } from "../../../src/serve/access/payment/token-chain.ts";
import { createPasses } from "../../../src/serve/access/quota/pass.ts";
import { newDirectory } from "../../support/metered-server.ts";
import { payment, rich } from "./ledger/sample-payment.ts";

/** Without a disk, where there is such a place. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const payer = `0x${"a1".repeat(20)}`;
export const wallet = `0x${"b2".repeat(20)}`;
export const transaction = `0x${"c3".repeat(32)}` as const;
const now = 2_000_999;
const network = "eip155:8453";

/** A chain whose answers a test sets, one after the other. The last one is used for all later questions. */
export async function openSettler(
  words: (AuthorizationState | Error)[] = [{ state: "open" }],
  spoil: Partial<Ledger> = {},
) {
  const ledger = { ...(await openLedger({ dataDir: newDirectory(memory) })), ...spoil };
  const said = [...words];
  const asked: string[] = [];
  const atOnce = { now: 0, most: 0 };
  const chain = {
    readAuthorization: async ({ nonce }: PaymentRow) => {
      asked.push(nonce);
      atOnce.most = Math.max(atOnce.most, ++atOnce.now);
      await Promise.resolve();
      atOnce.now--;
      const word = said.length > 1 ? said.shift() : said[0];
      if (word instanceof Error) throw word;
      return word;
    },
    blockBefore: async (seconds: number) => head - 5 * seconds,
    timeOf: async (block: number) => time - Math.floor((head - block) / 5),
  } as unknown as TokenChain;
  const passes = createPasses({ ledger, secrets: ["s".repeat(32)], now: () => now });
  const settledRows: string[] = [];
  const pauses: number[] = [];
  const settler = createSettler({
    ...{ ledger, chain, passes, network, now: () => now, beatMs: 1_000 },
    settled: ({ key }) => settledRows.push(key),
    pause: async (ms) => void pauses.push(ms),
  });
  const add = async (key: string, parts: Parameters<typeof payment>[1] = {}) => {
    await ledger.openPayment(payment(key, { payer, nonce: key, senders: wallet, ...parts }), rich);
    return rowOf(key);
  };
  const rowOf = async (key: string) => (await ledger.findPayment(key)) as PaymentRow;
  return { ledger, settler, add, rowOf, asked, atOnce, pauses, settledRows };
}

/** The newest block of the chain, and its time, which is not ours. Five blocks have the same time. */
const head = 1_000;
const time = 1_500;
/** The word of a chain that has taken a payment. */
export const settled = (sender = wallet, block = head): AuthorizationState => {
  return { state: "settled", transaction, sender, block, time };
};
export const receipt = { success: true, transaction, network, payer: "0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1" };
export const paid = { kind: "paid", answer: '{"summary":"è 🦊"}', receipt };
export const pending = { code: "settlement_pending", retryAfterSeconds: 3 };
