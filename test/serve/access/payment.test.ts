import { describe, expect, it } from "vitest";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { paymentKey, readPayment, readPaymentHeader } from "../../../src/serve/access/payment/payment.ts";

const address = `0x${"a1".repeat(20)}`;
const hash = `0x${"5b".repeat(32)}`;
const authorization = { from: address, to: address, nonce: hash, value: "5", validAfter: "0", validBefore: "99" };
const accepted = {
  ...{ scheme: "exact", network: "eip155:8453", amount: "5", asset: address, payTo: address },
  maxTimeoutSeconds: 60,
};
const good = { x402Version: 2, accepted, payload: { signature: "0xab", authorization } };

function refused(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    expect(code).toBe("invalid_payment");
    return message;
  }
  return "taken";
}

describe("the header of a payment", () => {
  const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
  /** The base64 of this header holds the two characters that base64url replaces. */
  const marked = header({ ...good, note: "~~~>>>???" });

  it("is standard base64, with or without its padding", () => {
    expect(marked).toMatch(/\+.*\/|\/.*\+/);
    for (const note of ["", "1", "12"]) {
      const text = header({ ...good, note });
      expect(readPaymentHeader(text).authorization?.nonce).toBe(hash);
      expect(readPaymentHeader(text.replace(/=+$/, "")).authorization?.nonce).toBe(hash);
    }
    expect(readPaymentHeader(marked).authorization?.nonce).toBe(hash);
  });

  const whole = header({ ...good, note: "12" }).replace(/=+$/, "");
  it.each([
    ["base64url", marked.replaceAll("+", "-").replaceAll("/", "_")],
    ["a blank inside", `${marked.slice(0, 8)} ${marked.slice(8)}`],
    ["a line end", `${marked}\n`],
    ["a character too many", `${whole.slice(0, whole.length - (whole.length % 4))}A`],
    ["three signs of padding", `${whole}===`],
    ["text behind the padding", `${header({ ...good, note: "1" }).replace(/=*$/, "=")}AAAA`],
    ["nothing", ""],
  ])("is refused with %s, which a lenient reader takes", (_name, text) => {
    expect(refused(() => readPaymentHeader(text))).toBe("The payment is not base64.");
  });

  it.each([
    ["bytes that are no UTF-8", Buffer.from('{"x402Version":2,"a":"\xff"}', "latin1").toString("base64")],
    ["text that is no JSON", Buffer.from("{").toString("base64")],
  ])("is refused with %s", (_name, text) => {
    expect(refused(() => readPaymentHeader(text))).toBe("The payment is not JSON in base64.");
  });

  it("is not read above the limit", () => {
    const text = header(good).replace(/=+$/, "");
    const filled = (length: number) => text + "A".repeat(length - text.length);
    expect(refused(() => readPaymentHeader(filled(serviceLimits.paymentCharsMax)))).toBe(
      "The payment is not JSON in base64.",
    );
    expect(refused(() => readPaymentHeader(filled(serviceLimits.paymentCharsMax + 1)))).toBe(
      "The payment is too long.",
    );
  });
});

describe("a payment", () => {
  const { from, to, nonce } = authorization;

  it("is read with its authorization, or without one", () => {
    expect(readPayment(good).authorization).toEqual({
      ...{ from, to, nonce },
      ...{ value: 5n, validAfter: 0n, validBefore: 99n },
    });
    expect(readPayment({ ...good, payload: { permit2Authorization: {} } }).authorization).toBeNull();
    for (const extra of [undefined, {}, { name: "USD Coin" }])
      expect(refused(() => readPayment({ ...good, accepted: { ...accepted, extra } }))).toBe("taken");
    for (const resource of [null, { url: "https://example.org" }])
      expect(refused(() => readPayment({ ...good, resource }))).toBe("taken");
  });

  const inPayload = (part: object) => ({ ...good, payload: { ...good.payload, ...part } });
  const signed = (part: object) => inPayload({ authorization: { ...authorization, ...part } });
  const numbers = "The authorization's value, validAfter and validBefore are not decimal texts.";
  const parties = "The authorization's from or to is not an address.";
  it.each<[string, unknown, string]>([
    ["a list", [good], "The payment is not an object."],
    ["nothing", null, "The payment is not an object."],
    ["a text", "x", "The payment is not an object."],
    ["version 1", { ...good, x402Version: 1 }, "The payment's x402Version is not 2."],
    ["no terms", { ...good, accepted: null }, "The payment has no accepted requirements."],
    ...["scheme", "network", "amount", "asset", "payTo"].map((name): [string, unknown, string] => [
      `${name} as a number`,
      { ...good, accepted: { ...accepted, [name]: 5 } },
      `The payment's accepted.${name} is not text.`,
    ]),
    [
      "no timeout",
      { ...good, accepted: { ...accepted, maxTimeoutSeconds: "60" } },
      "The payment's accepted.maxTimeoutSeconds is missing.",
    ],
    ["a text beside", { ...good, accepted: { ...accepted, extra: "x" } }, "The payment's accepted.extra is no object."],
    ["a resource without url", { ...good, resource: {} }, "The payment's resource has no url."],
    ["a number for url", { ...good, resource: { url: 5 } }, "The payment's resource has no url."],
    ["a text for resource", { ...good, resource: "/explain" }, "The payment's resource has no url."],
    ["no payload", { ...good, payload: [] }, "The payment has no payload."],
    ["a text for authorization", inPayload({ authorization: "x" }), "The payment's authorization is no object."],
    ["no signature", inPayload({ signature: undefined }), "The payment's signature is not hex."],
    ["an empty signature", inPayload({ signature: "0x" }), "The payment's signature is not hex."],
    ["half a byte", inPayload({ signature: "0xabc" }), "The payment's signature is not hex."],
    [
      "a signature as long as a block",
      inPayload({ signature: `0x${"ab".repeat(4_097)}` }),
      "The payment's signature is too long.",
    ],
    ["text around a signature", inPayload({ signature: "0xab " }), "The payment's signature is not hex."],
    ["a signature in a list", inPayload({ signature: ["0xab"] }), "The payment's signature is not hex."],
    [
      "a signature that is an object without a text",
      inPayload({ signature: { toString: null, valueOf: null } }),
      "The payment's signature is not hex.",
    ],
    ["a payer that is none", signed({ from: "0x12" }), parties],
    ["a payer with the prefix 0X", signed({ from: `0X${address.slice(2)}` }), parties],
    ["a receiver that is none", signed({ to: "0x12" }), parties],
    ["a short nonce", signed({ nonce: "0x12" }), "The authorization's nonce is not 32 bytes of hex."],
    ["no value", signed({ value: undefined }), numbers],
    ["a number", signed({ validAfter: 0 }), numbers],
    ["hex", signed({ validBefore: "0x63" }), numbers],
    ["2^256", signed({ value: String(2n ** 256n) }), numbers],
    ["79 digits", signed({ value: `${"0".repeat(78)}5` }), numbers],
  ])("is refused with %s", (_name, value, message) => {
    expect(refused(() => readPayment(value))).toBe(message);
  });

  it("may name the largest number that there is", () => {
    expect(readPayment(signed({ value: String(2n ** 256n - 1n) })).authorization?.value).toBe(2n ** 256n - 1n);
  });

  it("is the same payment in any letter case", () => {
    const one = readPayment(good).authorization as NonNullable<ReturnType<typeof readPayment>["authorization"]>;
    const other = { ...one, from: one.from.toUpperCase() as typeof one.from };
    expect(paymentKey("eip155:8453", address.toUpperCase(), other)).toBe(paymentKey("eip155:8453", address, one));
    expect(paymentKey("eip155:8453", "0xAB", one)).toBe(`eip155:8453|0xab|${address}|${hash}`);
  });
});
