import { generateKeyPairSync } from "node:crypto";
import { privateKeyToAddress } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Ledger } from "../../../src/serve/access/ledger/ledger.ts";
import { createAccess, openAccess, secretsOf } from "../../../src/serve/access/open.ts";
import { openParts, type Parts } from "../../../src/serve/access/parts.ts";
import { readPayment } from "../../../src/serve/access/payment/payment.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import type { FacilitatorSettings, PaymentSettings } from "../../../src/serve/settings/payment-settings.ts";
import { usdc } from "../../support/anvil.ts";
import type { payTo } from "../../support/metered-server.ts";
import { http, logged, optionsFor } from "./access-options.ts";
import { payment, rich } from "./ledger/sample-payment.ts";

/** The error with which opening the ledger fails. Undefined: it opens. */
const world = vi.hoisted(() => ({ failure: undefined as Error | undefined, closed: 0 }));
vi.mock("../../../src/serve/access/ledger/ledger.ts", async (original) => {
  const real = await original<{ openLedger: (place: object) => Promise<Ledger> }>();
  const openLedger = async (place: object) => {
    if (world.failure !== undefined) throw world.failure;
    const ledger = await real.openLedger(place);
    const close = () => {
      world.closed++;
      return ledger.close();
    };
    return { ...ledger, close };
  };
  return { ...real, openLedger };
});

const key = `0x${"11".repeat(32)}` as const;
const cdp = { kind: "cdp", url: "https://cdp.example/x402", keyId: "k" } as const;
/** Seed and public key: Node.js refuses a public key of another seed. */
const { d: seed, x: publicKey } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
const cdpKey = Buffer.concat([seed, publicKey].map((part) => Buffer.from(String(part), "base64url"))).toString(
  "base64",
);
const kinds = [{ x402Version: 2, scheme: "exact", network: "eip155:8453" }];

/** The questions to facilitators: the address, and whether the question was signed. */
const asked: [string, boolean][] = [];
let answer: () => Response | Promise<Response>;
beforeEach(() => {
  Object.assign(world, { failure: undefined, closed: 0 });
  asked.length = 0;
  answer = () => Response.json({ kinds, extensions: [], signers: {} });
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push([String(url), new Headers(init?.headers).has("authorization")]);
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the parts of charging", () => {
  it.each<[string, FacilitatorSettings, [string, boolean][], string | undefined]>([
    ["somebody's facilitator", http, [["https://f.example/x/supported", false]], undefined],
    ["Coinbase's", { ...cdp, keySecret: cdpKey }, [["https://cdp.example/x402/supported", true]], undefined],
    ["our own, with a wallet", { kind: "local", key }, [], privateKeyToAddress(key).toLowerCase()],
  ])("are opened with %s", async (_name, facilitator, calls, address) => {
    const parts = await openParts(optionsFor(facilitator));
    expect(await parts.facilitator.supports("eip155:8453")).toBe(true);
    expect(asked).toEqual(calls);
    expect(parts.gasWallet?.address).toBe(address);
    expect(parts.offers.requirements("explain", 1n).amount).toBe("20000");
    await parts.ledger.close();
  });

  const own = { payTo: privateKeyToAddress(key).toLowerCase() as typeof payTo };
  const toToken = { payTo: usdc.toLowerCase() as typeof payTo };
  const [noKey, ownWallet, tokenItself] = [
    "CDP_API_KEY_SECRET: expected base64 of 64 bytes or a PEM key.",
    "X402_PAY_TO: is the address of X402_FACILITATOR_KEY, whose wallet is to hold only gas.",
    "X402_PAY_TO: is the contract of the token, which takes none of its own.",
  ];
  const caused = (message: string, parts: object = {}) =>
    new ServiceError("ledger_unavailable", undefined, { cause: Object.assign(new Error(message), parts) });
  const away = caused("x", { code: "ECONNREFUSED" });
  const url = { databaseUrl: "postgres://one" };
  it.each<[string, ReturnType<typeof optionsFor>, Error | undefined, string[]]>([
    ["gas and earnings share a wallet", optionsFor({ kind: "local", key }, own), undefined, [ownWallet]],
    ["the token is paid itself", optionsFor(http, toToken), undefined, [tokenItself]],
    ["the key is none", optionsFor({ ...cdp, keySecret: "hush" }), undefined, [noKey]],
    ["the folder is none", optionsFor(http), new Error("EACCES: no"), ["DATA_DIR: EACCES: no"]],
    ["the database is none", optionsFor(http, {}, url), caused("no such database"), ["DATABASE_URL: no such database"]],
    ["only a code tells why", optionsFor(http, {}, url), caused("", { code: "28P01" }), ["DATABASE_URL: 28P01"]],
    ["nothing tells why", optionsFor(http, {}, url), caused(""), ["DATABASE_URL: cannot be opened"]],
    ["the ledger is away, and the key is none", optionsFor({ ...cdp, keySecret: "hush" }, {}, url), away, [noKey]],
    ["all is wrong", optionsFor({ ...cdp, keySecret: "x" }), new Error("EIO"), [noKey, "DATA_DIR: EIO"]],
  ])("are not opened where %s", async (_name, options, failure, problems) => {
    world.failure = failure;
    const lines = problems.map((problem) => `\n  ${problem}`).join("");
    const error = { name: "AccessError", problems, message: `Charging is not possible:${lines}` };
    await expect(openParts(options)).rejects.toMatchObject(error);
    expect(world.closed).toBe(failure === undefined ? 1 : 0);
  });

  it("are waited for if only the server of the ledger is down", async () => {
    world.failure = away;
    await expect(openParts(optionsFor(http, {}, url))).rejects.toBe(away);
  });
});

describe("access", () => {
  it("is opened with a facilitator that settles on the network", async () => {
    const { log, lines } = logged();
    await (await openAccess({ ...optionsFor(http), log })).close();
    expect([lines(), world.closed]).toEqual([[], 1]);
  });

  it("is opened while the facilitator is away, which is logged", async () => {
    answer = () => new Response("", { status: 503 });
    const { log, lines } = logged();
    await (await openAccess({ ...optionsFor(http), log })).close();
    expect(lines()).toEqual([{ level: "warn", event: "facilitator", outcome: "payments_unavailable" }]);
  });

  it("does not wait long for one that never answers", async () => {
    answer = () => new Promise<Response>(() => {});
    const { log, lines } = logged();
    await (await openAccess({ ...optionsFor(http), log, facilitatorMs: 1 })).close();
    expect(lines()).toEqual([{ level: "warn", event: "facilitator", outcome: "payments_unavailable" }]);
  });

  it("is not opened with one that settles elsewhere", async () => {
    answer = () => Response.json({ kinds: [], extensions: [], signers: {} });
    const { log, lines } = logged();
    const problems = ["X402_FACILITATOR: does not settle the scheme exact on eip155:8453."];
    await expect(openAccess({ ...optionsFor(http), log })).rejects.toMatchObject({ problems });
    expect([lines(), world.closed]).toEqual([[], 1]);
  });

  it("has the secret of now first", () => {
    const settings = optionsFor(http, { passSecret: "new", passSecretPrevious: "old" }).payments;
    expect(secretsOf(settings)).toEqual(["new", "old"]);
    expect(secretsOf({ ...settings, passSecretPrevious: null })).toEqual(["new"]);
  });
});

/** Access over a chain that takes every payment and whose time is 2,000 seconds. */
async function openModel(settings: Partial<PaymentSettings> = {}) {
  const options = optionsFor(http, settings);
  const opened = await openParts(options);
  const transaction = `0x${"ab".repeat(32)}`;
  const settled = { state: "settled", transaction, sender: "0x01", block: 999, time: 2_000 };
  const chain = {
    ...{ readAuthorization: async () => settled, blockBefore: async () => 1_000, isSignedBy: async () => false },
    look: async () => ({ block: 100, used: false, balance: rich }),
  };
  const facilitator = {
    ...{ verify: async () => ({ valid: true }), settle: async () => ({ status: "settled", transaction }) },
    supports: async () => true,
  };
  const { log, lines } = logged();
  const parts = { ...opened, chain, facilitator } as unknown as Parts;
  return { access: createAccess({ ...options, log }, parts, () => 2_000_000), parts, lines };
}

describe("what access counts and logs", () => {
  it("is each payment that it closes, by product", async () => {
    const { access, parts, lines } = await openModel();
    const sold = { batch: 60_000n, explain: 20_000n, pass: 9_000_000n } as const;
    for (const [product, amount] of Object.entries(sold) as ["batch" | "explain" | "pass", bigint][]) {
      const answer = product === "pass" ? '{"seconds":60,"calls":7}' : "{}";
      await parts.ledger.openPayment(payment(product, { product, amount, senders: "*", answer }), rich);
    }
    expect(await access.reconcile(0)).toHaveLength(3);
    expect(access.usage.counts).toMatchObject({ paid: 2, passes_sold: 1, settled: 9_080_000n });
    const events = Object.entries(sold).map(([product, amount]) => ({
      ...{ level: "info", event: "settled", product, amount: String(amount) },
    }));
    expect(lines()).toHaveLength(3);
    expect(lines()).toEqual(expect.arrayContaining(events));
    await access.close();
  });

  it("is nothing against gatherings, which are charged", async () => {
    const { access } = await openModel();
    const client = "c" as Client;
    for (let i = 0; i < 3; i++) access.visitors.gatherings.spend(client);
    expect(access.visitors.gatherings.wait(client)).toBe(0);
    expect([access.decimals, access.ledger, access.prices.call]).toEqual([6, "sqlite", "0.02"]);
    await access.close();
  });

  it("is a pass with its days and calls", async () => {
    const { access, parts } = await openModel({ passDays: 2, passCalls: 5 });
    const accepted = parts.offers.requirements("pass", 0n);
    const authorization = { from: `0x${"a1".repeat(20)}`, to: accepted.payTo, value: accepted.amount, validAfter: "0" };
    const signed = { ...authorization, validBefore: "3000", nonce: `0x${"5b".repeat(32)}` };
    const offered = readPayment({ x402Version: 2, accepted, payload: { signature: "0xab", authorization: signed } });
    const call = { client: "c" as Client, product: "pass", resource: "/pass", request: "", payment: offered } as const;
    const bought = await access.metering.admit(call);
    const { body } = bought as { body: string };
    expect(JSON.parse(body)).toMatchObject({ expires_at: "1970-01-03T00:33:20Z", call_cap: 5 });
    const [row] = await parts.ledger.listPayments(1);
    expect(row).toMatchObject({ senders: "*", buyer: expect.any(String), openedAt: 2_000 });
    await access.close();
  });
});
