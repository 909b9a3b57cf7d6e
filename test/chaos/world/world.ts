import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, type Hex, zeroHash } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { type ChainEndpoint, startEndpoint } from "./endpoint.ts";
import { type LedgerView, viewLedger } from "./ledger-view.ts";
import type { Random } from "./random.ts";
import { newReplica, type Replica } from "./replica.ts";
import type { Report } from "./table.ts";

export type LedgerKind = "sqlite" | "postgres";

/** One replica with what belongs to it alone. */
export interface Stand {
  replica: Replica;
  endpoint: ChainEndpoint;
  gasKey: Hex;
}

/** Replicas that share one ledger and one address that gets the payments. */
export interface Shop {
  stands: Stand[];
  payTo: Address;
  ledger: LedgerView;
  /** Where the ledger is: DATA_DIR or DATABASE_URL. */
  place: string;
  close(): Promise<void>;
}

export interface ShopOptions {
  ledger: LedgerKind;
  replicas: number;
  env?: Record<string, string>;
  /** Instead of a new address. */
  payTo?: Address;
  /** Instead of a new directory or database. */
  place?: string;
  /** Whether each replica may also ask the chain directly, besides its endpoint. */
  asksChain?: boolean;
}

/** A test chain, databases, and everything that is started on them. All of it is on this machine. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** A part of a scenario. It has a world of its own, because time goes on in it. */
export type Part = (world: World, random: Random) => Promise<Report> | AsyncIterable<Report>;

/** The program that every run needs and this machine lacks. Undefined when nothing is missing. */
export const missing = findAnvil() === undefined ? "there is no anvil" : undefined;
export const missingPostgres = findPostgres() === undefined ? "there is no PostgreSQL" : undefined;

export async function openWorld() {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-chaos-"));
  const chain = await startChain();
  let postgres: Promise<TestPostgres> | undefined;
  let count = 0;
  const shops = new Set<Shop>();

  async function openDatabase(): Promise<string> {
    postgres ??= startPostgres();
    return (await postgres).createDatabase(`chaos${++count}`);
  }

  async function openStand(name: string, env: Record<string, string>, asksChain = false): Promise<Stand> {
    const [endpoint, gasKey] = await Promise.all([startEndpoint(chain.url), chain.createGasKey()]);
    const urls = asksChain ? [endpoint.url, chain.url] : [endpoint.url];
    const own = { RPC_URLS: urls.join(), X402_FACILITATOR_KEY: gasKey };
    const replica = await newReplica(dir, name, { ...own, ...env });
    return { replica, endpoint, gasKey };
  }

  async function openShop(options: ShopOptions): Promise<Shop> {
    const { ledger, replicas, env = {}, payTo = newAddress() } = options;
    const name = `shop${++count}`;
    const place = options.place ?? (ledger === "postgres" ? await openDatabase() : join(dir, name));
    const setting: Record<string, string> = ledger === "postgres" ? { DATABASE_URL: place } : { DATA_DIR: place };
    const full = { ...charging, X402_PAY_TO: payTo, ...setting, ...env };
    const names = Array.from({ length: replicas }, (_, index) => `${name}-${index}`);
    const stands = await Promise.all(names.map((each) => openStand(each, full, options.asksChain)));
    const view = viewLedger(ledger === "postgres" ? place : join(place, "ledger.sqlite"));
    const shop: Shop = {
      ...{ stands, payTo, ledger: view, place },
      async close() {
        shops.delete(shop);
        await Promise.all(stands.map(({ replica }) => replica.kill()));
        for (const { endpoint } of stands) endpoint.close();
      },
    };
    shops.add(shop);
    return shop;
  }

  return {
    dir,
    chain,
    postgres: () => (postgres ??= startPostgres()),
    /** Opens a shop whose replicas are not started. */
    openShop,
    /** Opens a shop whose replicas serve. */
    async startShop(options: ShopOptions): Promise<Shop> {
      const shop = await openShop(options);
      await Promise.all(shop.stands.map(({ replica }) => replica.start()));
      return shop;
    },
    /** New accounts with this many base units of USDC each. Blocks have to come at once meanwhile. */
    async createPayers(number: number, units = 10_000_000_000n): Promise<PrivateKeyAccount[]> {
      const accounts: PrivateKeyAccount[] = [];
      for (let index = 0; index < number; index++) accounts.push(await chain.createPayer(units));
      return accounts;
    },
    /** Makes a block every `seconds` seconds. 0: a block for every transaction. */
    setBlockTime: (seconds: number) => setBlockTime(chain, seconds),
    async close(): Promise<void> {
      for (const shop of [...shops]) await shop.close();
      await chain.stop();
      await (await postgres)?.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function setBlockTime({ control }: TestChain, seconds: number): Promise<void> {
  await control.setIntervalMining({ interval: seconds });
  await control.setAutomine(seconds === 0);
  // Transactions from before the change would otherwise wait for the next one.
  if (seconds === 0) await control.mine({ blocks: 1 });
}

function newAddress(): Address {
  return privateKeyToAccount(generatePrivateKey()).address;
}

/** Nothing is free and no client is slowed down, so every answer is paid for. */
const charging = {
  PASS_SECRET: zeroHash,
  X402_FACILITATOR: "local",
  PUBLIC_URL: "http://shop.example",
  FREE_CALLS_PER_DAY: "0",
  RATE_LIMIT_PER_MINUTE: "0",
};
