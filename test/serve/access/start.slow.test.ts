import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Hash } from "../../../src/kernel/hex.ts";
import { openDatabase } from "../../../src/serve/access/ledger/ledger.ts";
import { exportLedger } from "../../../src/serve/access/ledger/transfer.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { serveFacilitator } from "../../support/facilitator-server.ts";
import { type MainProcess, runMain, startMain } from "../../support/main-process.ts";
import { newDirectory, passSecret, payTo } from "../../support/metered-server.ts";
import { decode, payingFetch } from "../../support/payer.ts";
import { root } from "../../support/shared.ts";

const adminToken = "a-token-of-the-tests";
const shipped = join(root, "test/transactions");
const names = readdirSync(shipped).filter((name) => /^0x[0-9a-f]{64}\.json$/.test(name));
const hash = String(names[0]).slice(0, 66) as Hash;
/** An instance that charges has no recordings by itself. */
const recorded = { RECORDINGS_DIR: shipped };

/** The settings of an operator who charges. Each test replaces a part. */
const charging = {
  X402_PAY_TO: payTo,
  ADMIN_TOKEN: adminToken,
  PASS_SECRET: passSecret,
  X402_FACILITATOR: "http",
  X402_FACILITATOR_URL: "http://127.0.0.1:9",
};

async function stop({ child }: MainProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<unknown> {
  const ended = once(child, "exit");
  child.kill(signal);
  return (await ended)[0];
}

const explain = (url: string, by: typeof fetch = fetch) =>
  by(`${url}/explain`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tx_hash: hash }),
  });

describe("the product that is open", { timeout: 60_000 }, () => {
  it("says so at the start and in /healthz, and sells nothing", async () => {
    const main = await startMain();
    expect(main.greeting).toContain("Open: nothing is metered or charged");
    const health = (await (await fetch(`${main.url}/healthz`)).json()) as { access: unknown };
    expect(health.access).toMatchObject({ mode: "open", demand: { free: 0, paid: 0, settled_usd: "0" } });
    const pass = await fetch(`${main.url}/pass`, { method: "POST" });
    expect([pass.status, ((await pass.json()) as { error: string }).error]).toEqual([501, "payments_not_configured"]);
    expect((await explain(main.url)).headers.get("ratelimit")).toBeNull();
    expect(await stop(main)).toBe(0);
  });
});

describe("the product that charges does not start", { timeout: 60_000 }, () => {
  it.each<[string, Record<string, string>, RegExp[]]>([
    [
      "with several mistakes, and lists them all",
      { ...charging, X402_PAY_TO: "0x1", PASS_SECRET: "", X402_FACILITATOR: "x402", PRICE_PASS_USD: "free" },
      [/X402_PAY_TO "0x1": /, /PASS_SECRET: /, /X402_FACILITATOR "x402": /, /PRICE_PASS_USD "free": /],
    ],
    [
      "when gas and earnings would share a wallet",
      {
        ...charging,
        X402_PAY_TO: privateKeyToAddress(`0x${"11".repeat(32)}`),
        X402_FACILITATOR: "local",
        X402_FACILITATOR_KEY: `0x${"11".repeat(32)}`,
      },
      [/X402_PAY_TO: is the address of X402_FACILITATOR_KEY/],
    ],
    [
      "with a key that is none and a place that is none",
      {
        ...charging,
        X402_FACILITATOR: "cdp",
        CDP_API_KEY_ID: "k",
        CDP_API_KEY_SECRET: "hush",
        DATA_DIR: "/dev/null/x",
      },
      [/CDP_API_KEY_SECRET: /, /DATA_DIR: /],
    ],
    [
      "while its database is away, when something else is wrong",
      {
        ...{ ...charging, X402_FACILITATOR: "cdp", CDP_API_KEY_ID: "k", CDP_API_KEY_SECRET: "hush" },
        DATABASE_URL: "postgres://127.0.0.1:9/x",
      },
      [/CDP_API_KEY_SECRET: /],
    ],
  ])("%s", async (_name, env, problems) => {
    const { code, stdout, stderr } = await runMain({ DATA_DIR: newDirectory(), ...env });
    expect([code, stdout]).toEqual([2, ""]);
    for (const problem of problems) expect(stderr).toMatch(problem);
    expect(stderr).not.toContain("hush");
  });

  it("with a facilitator that cannot settle these payments", async () => {
    const kinds = [{ x402Version: 2, scheme: "exact", network: "eip155:84532" as const }];
    const server = await serveFacilitator({
      verify: () => Promise.reject(new Error("not asked")),
      settle: () => Promise.reject(new Error("not asked")),
      getSupported: async () => ({ kinds, extensions: [], signers: {} }),
    });
    const { code, stderr } = await runMain({ ...charging, DATA_DIR: newDirectory(), X402_FACILITATOR_URL: server.url });
    expect(code).toBe(2);
    expect(stderr).toContain("X402_FACILITATOR: does not settle the scheme exact on eip155:8453.");
    await server.stop();
  });
});

describe.skipIf(findAnvil() === undefined)("the product that charges", { timeout: 60_000 }, () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startChain();
  });
  afterAll(() => chain?.stop());

  it("starts while its facilitator is down, and answers free calls", async () => {
    const main = await startMain({ ...charging, ...recorded, DATA_DIR: newDirectory() });
    expect(main.greeting).toContain("Metered: 50 free explanations a day");
    expect((await explain(main.url)).status).toBe(200);
    expect(await stop(main)).toBe(0);
  });

  it("has no recordings unless they are set", async () => {
    const main = await startMain({ ...charging, DATA_DIR: newDirectory() });
    expect((await explain(main.url)).status).toBe(503);
    expect(main.greeting).not.toContain("curl");
    expect(await stop(main)).toBe(0);
  });

  it("is paid for a real transaction, and remembers all of it after kill -9", async () => {
    const env = {
      ...charging,
      ...recorded,
      RPC_URLS: chain.url,
      X402_FACILITATOR: "local",
      X402_FACILITATOR_KEY: await chain.createGasKey(),
      FREE_CALLS_PER_DAY: "2",
      DATA_DIR: newDirectory(),
    };
    const payer = await chain.createPayer(1_000_000n);
    const first = await startMain(env);
    expect((await explain(first.url)).status).toBe(200);
    // A call is charged right after its answer is sent.
    const ledger = await openDatabase({ dataDir: env.DATA_DIR });
    await vi.waitFor(async () => expect((await exportLedger(ledger, () => {})).allowance.used).toBe(1), 5_000);
    await ledger.close();
    await stop(first, "SIGKILL");

    const second = await startMain(env);
    const free = await explain(second.url);
    expect([free.status, free.headers.get("ratelimit")]).toMatchObject([200, expect.stringContaining("r=0;")]);
    const paid = await explain(second.url, payingFetch(payer));
    expect([paid.status, await paid.text()]).toEqual([200, await free.text()]);
    expect(decode(paid.headers.get("payment-response")).success).toBe(true);
    expect(await chain.balance(payer.address)).toBe(980_000n);
    const operator = { headers: { authorization: `Bearer ${adminToken}` } };
    const health = (await (await fetch(`${second.url}/healthz`, operator)).json()) as { access: unknown };
    expect(health.access).toMatchObject({
      demand: { free: 1, paid: 1, settled_usd: "0.02" },
      readiness: { facilitator: "ready", ledger: "ready", gas_balance_eth: expect.stringMatching(/^9\.99/) },
    });
    expect(await stop(second)).toBe(0);
  });
});
