import { describe, expect, it } from "vitest";
import { clientOf, readBatchTender, readPassTender, readTender } from "../../../src/serve/service/caller.ts";

describe("how a caller wants to pay", () => {
  const authorization = { from: `0x${"a1".repeat(20)}`, to: `0x${"b2".repeat(20)}`, nonce: `0x${"5b".repeat(32)}` };
  const payment = (validBefore: string) => ({
    x402Version: 2,
    accepted: {
      ...{ scheme: "exact", network: "n", amount: "5", asset: "a", payTo: "p", maxTimeoutSeconds: 60 },
    },
    payload: { signature: "0xab", authorization: { ...authorization, value: "5", validAfter: "0", validBefore } },
  });
  const connection = { remoteAddress: "203.0.113.7" };
  const header = Buffer.from(JSON.stringify(payment("1"))).toString("base64");
  const headers = { "payment-signature": header, "x-svc-pass": " pass ", "x-svc-claim": "claim " };
  const meta = { "x402/payment": payment("2"), "svc/pass": "meta pass", "svc/claim": " meta claim" };
  const told = ({ payment: offered, ...rest }: ReturnType<typeof readPassTender> | ReturnType<typeof readTender>) => ({
    ...rest,
    until: offered?.authorization?.validBefore,
  });

  it.each([
    ["in nothing", { headers: {} }, { until: undefined, pass: undefined, claim: undefined }],
    ["in headers", { headers }, { until: 1n, pass: "pass", claim: "claim" }],
    ["in a message, before the headers", { headers, meta }, { until: 2n, pass: "meta pass", claim: "meta claim" }],
    ["in headers beside a message", { headers, meta: {} }, { until: 1n, pass: "pass", claim: "claim" }],
    [
      "in what is no text, so that neither a pass nor a claim is found",
      { headers: {}, meta: { "svc/pass": 5, "svc/claim": ["6"] } },
      { until: undefined, pass: "", claim: "" },
    ],
  ])("%s", (_name, parts, { until, pass, claim }) => {
    const caller = { connection, ...parts };
    expect(told(readTender(caller))).toEqual({ until, passToken: pass });
    const unbound = { claimKey: undefined, claimSecret: undefined };
    expect(told(readPassTender(caller))).toEqual({ until, claim, ...unbound });
    expect(told(readBatchTender(caller))).toEqual({ until, passToken: pass, claim, ...unbound });
  });

  it("is refused where it is no payment", () => {
    for (const parts of [{ headers: { "payment-signature": "x!" } }, { headers: {}, meta: { "x402/payment": null } }])
      expect(() => readTender({ connection, ...parts })).toThrow(expect.objectContaining({ code: "invalid_payment" }));
  });

  it("is the one that a proxy names", () => {
    const given: unknown[] = [];
    const read = (...asked: unknown[]) => given.push(asked) as never;
    clientOf({ connection, headers: { "x-forwarded-for": "1.2.3.4" } }, read);
    clientOf({ connection: {}, headers: {} }, read);
    expect(given).toEqual([
      ["203.0.113.7", "1.2.3.4"],
      [undefined, undefined],
    ]);
  });
});

describe("the secret of a purchase", () => {
  const connection = { remoteAddress: "192.0.2.1" };
  const hash = "ab".repeat(32);

  it("is read with the hash of it, from headers and messages", () => {
    const headers = { "x-svc-claim-key": ` ${hash.toUpperCase()}`, "x-svc-claim-secret": " secret " };
    const shown = { claimKey: hash, claimSecret: "secret", claim: undefined };
    expect(readPassTender({ connection, headers })).toEqual({ payment: undefined, ...shown });
    const meta = { "svc/claim-key": hash, "svc/claim-secret": "told" };
    expect(readBatchTender({ connection, headers, meta })).toMatchObject({ claimKey: hash, claimSecret: "told" });
  });

  it.each([["", "secret", hash.slice(1), `${hash}0`, `0x${hash}`, 5, [hash]]].flat())("has no hash %j", (given) => {
    const invalid = expect.objectContaining({ code: "invalid_payment", message: expect.stringContaining("Claim-Key") });
    for (const read of [readPassTender, readBatchTender])
      expect(() => read({ connection, headers: {}, meta: { "svc/claim-key": given } })).toThrow(invalid);
  });
});

describe("a pass or a claim in the _meta of a message", () => {
  const connection = { remoteAddress: "192.0.2.1" };
  const callerOf = (meta: Record<string, unknown>, headers = {}) => ({ connection, headers, meta });

  it.each([
    ["a text", " svc_x ", "svc_x"],
    ["nothing", null, "of the header"],
    ["a number", 5, ""],
    ["a list", ["svc_x"], ""],
    ["an object without a text", { toString: null, valueOf: null }, ""],
  ])("is read where it is %s, and never thrown at", (_name, given, expected) => {
    const headers = { "x-svc-pass": "of the header", "x-svc-claim": "of the header" };
    expect(readTender(callerOf({ "svc/pass": given }, headers)).passToken).toBe(expected);
    expect(readPassTender(callerOf({ "svc/claim": given }, headers)).claim).toBe(expected);
  });
});
