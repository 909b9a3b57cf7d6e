import { createHash } from "node:crypto";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import type { PaymentRow } from "../../../src/serve/access/ledger/rows.ts";
import type { PaymentAttempt } from "../../../src/serve/access/payment/attempt.ts";
import { type ClaimsOptions, claimMessage, createClaims } from "../../../src/serve/access/payment/claim.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";

const payer = privateKeyToAccount(`0x${"11".repeat(32)}`);
const other = privateKeyToAccount(`0x${"12".repeat(32)}`);
const buyer = "192.0.2.1" as Client;
const stranger = "192.0.2.2" as Client;
const publicUrl = "https://x.example";
const nonce = `0x${"5b".repeat(32)}`;
const now = 1_700_000_000;

/** Claims over a ledger that holds one payment of the buyer. `byContract`: what the payer's contract says about the signature. */
function open({
  secrets = ["s"] as [string, ...string[]],
  sold = "s",
  byContract = false as boolean | Error,
  row = {} as Partial<PaymentRow>,
  signed = true,
} = {}) {
  const asked: object[] = [];
  const parts = { chain: {}, publicUrl, now: () => now * 1000 } as unknown as ClaimsOptions;
  const name = createClaims({ ...parts, ledger: {} as never, secrets: [sold] }).nameBuyer("key", { client: buyer });
  const held = { key: "key", buyer: name, claimKey: null, closedAt: now - 600, ...row };
  const ledger = { findPayment: async (key: string) => (key === "key" ? held : undefined) } as never;
  const chain = {
    isSignedBy: async (signed: object) => {
      asked.push(signed);
      if (byContract instanceof Error) throw byContract;
      return byContract;
    },
    hasAuthorized: async () => signed,
  };
  const claims = createClaims({ ...parts, ledger, secrets, chain });
  const check = (client: Client, claim?: string, product = "pass", key = "key", shown: object = {}) =>
    claims.check({
      key,
      request: { client, claim, product, payment: { payload: { payload: { signature: "0x01" } } }, ...shown },
      authorization: { from: payer.address, to: payer.address, value: 1n, validAfter: 0n, validBefore: 1n, nonce },
      requirements: { network: "eip155:8453", asset: payer.address, extra: { name: "USDC", version: "2" } },
    } as unknown as PaymentAttempt);
  return { claims, check, asked };
}

const sign = async (parts: object = {}, time = String(now), by = payer) =>
  `${time} ${await by.signMessage({ message: claimMessage({ publicUrl, nonce, time, ...parts }) })}`;
const refused = (message: string) => ({ code: "pass_claimed_elsewhere", message: expect.stringContaining(message) });

describe("the buyer of a payment", () => {
  it("is named by a hash with the secret of now, another one for each payment and client", () => {
    const { claims } = open();
    const names = [
      claims.nameBuyer("key", { client: buyer }),
      claims.nameBuyer("other", { client: buyer }),
      claims.nameBuyer("key", { client: stranger }),
    ];
    expect(claims.nameBuyer("key", { client: buyer, isForwarded: true })).toBeNull();
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toMatch(/^[\w-]{43}$/);
    expect(open({ secrets: ["t", "s"] }).claims.nameBuyer("key", { client: buyer })).not.toBe(names[0]);
  });

  it("may have what the payment bought, also under the previous secret", async () => {
    await open().check(buyer);
    await open({ secrets: ["t", "s"] }).check(buyer);
    await expect(open({ secrets: ["t"] }).check(buyer)).rejects.toMatchObject(refused("X-SVC-Claim-Secret"));
    await expect(open().check(stranger)).rejects.toMatchObject(refused("X-SVC-Claim-Secret"));
    await expect(open().check(buyer, undefined, "pass", "none")).rejects.toThrow("what is settled has its row");
  });
});

describe("the place of the buyer", () => {
  it.each<[string, Partial<PaymentRow>, object]>([
    ["more than ten minutes later", { closedAt: now - 601 }, {}],
    ["where it is not known when it was settled", { closedAt: null }, {}],
    ["over a proxy that is not trusted", {}, { isForwarded: true }],
  ])("is worth nothing %s", async (_name, row, shown) => {
    const { check } = open({ row });
    await expect(check(buyer, undefined, "pass", "key", shown)).rejects.toMatchObject(refused("X-SVC-Claim"));
    await check(buyer, await sign(), "pass", "key", shown);
  });

  it("is worth nothing without the payer's signature, but a claim is", async () => {
    const { check } = open({ signed: false });
    await expect(check(buyer)).rejects.toMatchObject(refused("The payment is not signed by the payer."));
    await check(stranger, await sign());
  });
});

describe("the secret of a purchase", () => {
  const secret = "a secret of the buyer";
  const row = { claimKey: createHash("sha256").update(secret).digest("hex") };
  const show = (claimSecret?: string, parts = {}) => open({ row, ...parts }).check(stranger, ...rest, { claimSecret });
  const rest = [undefined, "pass", "key"] as const;

  it("gets it from everywhere, at any time", async () => {
    await show(secret);
    await show(secret, { row: { ...row, closedAt: 0 } });
  });

  it("alone gets it: no place, no claim, no guess, not the hash, and not without the payer's signature", async () => {
    const { check } = open({ row });
    await expect(check(buyer)).rejects.toMatchObject(refused("send the secret in X-SVC-Claim-Secret"));
    await expect(check(buyer, await sign())).rejects.toMatchObject(refused("send the secret"));
    for (const guess of ["", `${secret} `, row.claimKey])
      await expect(show(guess)).rejects.toMatchObject(refused("not the"));
    await expect(show(secret, { signed: false })).rejects.toMatchObject(refused("not signed by the payer"));
  });
});

describe("a claim to a payment", () => {
  it("is a text that the payer signs", () => {
    const rest = `Service: ${publicUrl}\nPayment: 0x1\nTime: 5`;
    const said = { publicUrl, nonce: "0x1", time: "5" };
    expect(claimMessage(said)).toBe(`Give me the pass of my payment again.\n${rest}`);
    expect(claimMessage({ ...said, thing: "lines" })).toBe(`Give me the lines of my payment again.\n${rest}`);
  });

  it("is good for the pass or the lines that it names", async () => {
    const { check, asked } = open();
    await check(stranger, await sign());
    await check(stranger, await sign({ thing: "lines" }), "batch");
    expect(asked).toEqual([]);
    await expect(check(stranger, await sign(), "batch")).rejects.toMatchObject(refused("is not signed by the payer"));
    await expect(check(stranger, await sign({ thing: "lines" }))).rejects.toMatchObject(refused("not signed"));
  });

  it.each([
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ])("is good for five minutes: %d seconds away", async (seconds, good) => {
    const claim = open().check(stranger, await sign({}, String(now + seconds)));
    if (good) expect(await claim).toBeUndefined();
    else await expect(claim).rejects.toMatchObject(refused("The time in X-SVC-Claim is not that of now."));
  });

  it.each([
    ["no text", () => ""],
    ["no signature", () => String(now)],
    ["a short time", () => "170000000 0xabab"],
    ["something before it", (claim: string) => ` ${claim}`],
    ["something after it", (claim: string) => `${claim} `],
    ["half a byte", (claim: string) => `${claim}0`],
    ["no hex", () => `${now} 0xzz`],
    ["more than a header holds", () => `${now} 0x${"ab".repeat(100_000)}`],
  ])("is refused with %s", async (_name, change) => {
    const { check, asked } = open({ byContract: true });
    await expect(check(stranger, change(await sign()))).rejects.toMatchObject(
      refused("X-SVC-Claim is not a time in Unix seconds, a space and a signature in hex."),
    );
    expect(asked).toEqual([]);
  });

  it("of a contract is asked of the chain", async () => {
    const { check, asked } = open({ byContract: true });
    const claim = await sign({}, String(now), other);
    await check(stranger, claim);
    const message = claimMessage({ publicUrl, nonce, time: String(now) });
    expect(asked).toEqual([{ address: payer.address, message, signature: claim.split(" ")[1] }]);
    const odd = `${now} 0xabab`;
    await check(stranger, odd);
    await expect(open().check(stranger, odd)).rejects.toMatchObject(refused("not signed by the payer"));
    await expect(open().check(stranger, claim)).rejects.toMatchObject(refused("not signed by the payer"));
    const away = new Error("away");
    await expect(open({ byContract: away }).check(stranger, claim)).rejects.toBe(away);
  });
});
