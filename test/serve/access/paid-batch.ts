import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash, Hex } from "../../../src/kernel/hex.ts";
import type { LedgerSettings, PaymentSettings } from "../../../src/serve/settings/payment-settings.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, newDirectory, openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { caseFileOf, explanationOf, hashOf } from "../../support/sample.ts";

/** What one line costs. */
export const price = 20_000n;
/** What a payer has at first. */
const start = 20_000_000n;
/** The line of a transaction. */
export const answerTo = (hash: Hash) => JSON.stringify(explanationOf(hash));
export const hashes = (...numbers: number[]) => numbers.map(hashOf);

/** POST /explain/batch. */
export const post = (url: string, tx_hashes: readonly string[], headers: Record<string, string> = {}, by = fetch) =>
  by(`${url}/explain/batch`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ tx_hashes }),
  });

/** The lines of an answer; of what is refused, its error. */
export async function told(
  reply: Response,
): Promise<{ status: number; lines: string[]; error: string; codes: unknown[] }> {
  const text = await reply.text();
  if (reply.status !== 200) return { status: reply.status, lines: [], error: JSON.parse(text).error, codes: [] };
  const lines = text.slice(0, -1).split("\n");
  return { status: 200, lines, error: "", codes: lines.map((line) => JSON.parse(line).error) };
}

/** A server that charges for batches, and a new payer for each test. */
export class BatchShop {
  /** Where the ledger is. */
  readonly name: string;
  chain!: TestChain;
  gasKey!: Hex;
  ledger!: LedgerSettings;
  server!: MeteredServer;
  payer!: PrivateKeyAccount;
  /** What does not answer now. */
  readonly away = new Set<Hash>();
  /** What the second half of a long batch waits for. */
  gate: Promise<void> | null = null;

  constructor(name: string) {
    this.name = name;
  }

  async open(settings: Partial<PaymentSettings> = {}): Promise<void> {
    this.server = await openMeteredServer({
      ...{ rpcUrl: this.chain.url, gasKey: this.gasKey, ledger: this.ledger },
      settings: { freeCallsPerDay: 0, passCalls: 3, trustProxy: ["loopback"], ...settings },
      gather: async (hash) => {
        if (this.away.has(hash)) throw new ServiceError("upstream_unavailable");
        if (hash >= hashOf(5_020)) await this.gate;
        return caseFileOf(hash);
      },
    });
  }

  /** Closes the server and opens it with other settings. */
  async reopen(settings: Partial<PaymentSettings>): Promise<void> {
    await this.server.close();
    await this.open(settings);
  }

  async spent(): Promise<bigint> {
    return start - (await this.chain.balance(this.payer.address));
  }

  /** Signs a payment for as many of these lines as the challenge states. */
  async sign(asked: readonly string[], headers: Record<string, string> = {}) {
    const reply = await post(this.server.url, asked, headers);
    const required = decode(reply.headers.get("payment-required"));
    const payload = await signPayment({ required, account: this.payer });
    const header = { "payment-signature": encode(payload) };
    return { required, payload, header, lines: Number(required.accepts[0].amount) / Number(price) };
  }
}

/** Runs tests of paid batches with a real chain, once for each store of the ledger. */
export function describeShops(title: string, tests: (shop: BatchShop) => void): void {
  describe.skipIf(findAnvil() === undefined)(title, { timeout: 120_000 }, () => {
    let chain: TestChain;
    let gasKey: Hex;
    let postgres: TestPostgres | undefined;
    beforeAll(async () => {
      chain = await startChain();
      gasKey = await chain.createGasKey();
      if (findPostgres() !== undefined) postgres = await startPostgres();
    }, 60_000);
    afterAll(async () => {
      await chain?.stop();
      await postgres?.remove();
    }, 60_000);

    describe.each([
      ["SQLite", false],
      ["PostgreSQL", findPostgres() === undefined],
    ])("with the ledger in %s", (name, missing) => {
      describe.skipIf(missing)("", () => {
        const shop = new BatchShop(name);
        beforeAll(async () => {
          const ledger =
            name === "SQLite"
              ? { dataDir: newDirectory() }
              : { databaseUrl: (await postgres?.createDatabase("batch")) as string };
          Object.assign(shop, { chain, gasKey, ledger });
          await shop.open();
        });
        beforeEach(async () => {
          shop.away.clear();
          shop.payer = await chain.createPayer(start);
        });
        afterAll(() => shop.server?.close());
        tests(shop);
      });
    });
  });
}
