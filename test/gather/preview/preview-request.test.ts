import { describe, expect, it } from "vitest";
import { nameOfRequest, type PreviewRequest, readPreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { alice, bob } from "../../support/case-of.ts";
import { hash, request } from "./unsigned-case.ts";

const most = 2n ** 256n - 1n;

describe("a request", () => {
  const least = { from: alice, to: bob };
  const one = { address: bob };
  const signature = { y_parity: 1, r: hash, s: hash };

  it.each<[Record<string, unknown>, Partial<PreviewRequest>]>([
    [least, {}],
    [
      { ...least, value: "0x1a", data: "0x00", gas: 1_000_000_000, nonce: "7" },
      { value: 26n, data: "0x00", gas: 1_000_000_000n, nonce: 7n },
    ],
    [
      { from: alice, to: null, data: "0x60" },
      { to: null, data: "0x60" },
    ],
    [{ ...least, value: most.toString() }, { value: most }],
    [{ ...least, nonce: ((1n << 64n) - 2n).toString() }, { nonce: (1n << 64n) - 2n }],
    [
      { ...least, authorization_list: [one] },
      { authorizations: [{ chainId: null, delegate: bob, nonce: null, signature: null }] },
    ],
    [
      { ...least, authorization_list: [{ ...one, chain_id: 0, nonce: 0, ...signature }] },
      { authorizations: [{ chainId: 0n, delegate: bob, nonce: 0n, signature: { yParity: 1n, r: hash, s: hash } }] },
    ],
    [
      { ...least, authorization_list: Array(16).fill({ ...one, chain_id: ((1n << 64n) - 1n).toString() }) },
      { authorizations: Array(16).fill({ chainId: (1n << 64n) - 1n, delegate: bob, nonce: null, signature: null }) },
    ],
  ])("is read: %#", (fields, expected) => {
    expect(readPreviewRequest(fields)).toEqual({ ...request, ...expected });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ ...least, other: 1 }, "The transaction holds a field that is not known: other."],
    [{ ...least, ["n".repeat(41)]: 1 }, `The transaction holds a field that is not known: ${"n".repeat(40)}.`],
    [{ from: alice }, "to is missing; null stands for the creation of a contract."],
    [{ ...least, data: "0x0" }, "data is not 0x followed by whole bytes of hex."],
    [
      { ...least, data: `0x${"00".repeat(serviceLimits.previewDataBytesMax + 1)}` },
      `data is longer than ${serviceLimits.previewDataBytesMax} bytes.`,
    ],
    [{ from: alice, to: null }, "data is missing: a creation needs the code of the new contract."],
    [{ to: bob }, "from is missing."],
    [{ from: "0x1", to: bob }, "from is not 0x followed by 40 hex digits."],
    [{ from: alice, to: 1 }, "to is not 0x followed by 40 hex digits."],
    [{ ...least, gas: 1_000_000_001 }, "gas is too large."],
    [{ ...least, gas: -1 }, "gas is not a quantity: 0x and hex digits, or a decimal number."],
    [{ ...least, value: (most + 1n).toString() }, "value is too large."],
    [{ ...least, nonce: ((1n << 64n) - 1n).toString() }, "nonce is too large."],
    [{ ...least, authorization_list: [] }, "authorization_list is not an array of 1 to 16 authorizations."],
    [
      { ...least, authorization_list: Array(17).fill(one) },
      "authorization_list is not an array of 1 to 16 authorizations.",
    ],
    [{ ...least, authorization_list: {} }, "authorization_list is not an array of 1 to 16 authorizations."],
    [
      { from: alice, to: null, data: "0x60", authorization_list: [one] },
      "A transaction with an authorization_list cannot create a contract (EIP-7702).",
    ],
    ...[null, 1, []].map((item): [Record<string, unknown>, string] => [
      { ...least, authorization_list: [one, item] },
      "authorization_list[1] is not an object.",
    ]),
    [
      { ...least, authorization_list: [{ ...one, value: 1 }] },
      "authorization_list[0] holds a field that is not known: value.",
    ],
    [{ ...least, authorization_list: [{}] }, "authorization_list[0].address is missing."],
    [
      { ...least, authorization_list: [{ ...one, r: hash, s: hash }] },
      "authorization_list[0] has a part of a signature: y_parity, r and s belong together.",
    ],
    [
      { ...least, authorization_list: [{ ...one, ...signature }] },
      "authorization_list[0].nonce is missing: it is part of what was signed.",
    ],
    [
      { ...least, authorization_list: [{ ...one, nonce: ((1n << 64n) - 1n).toString() }] },
      "authorization_list[0].nonce is too large.",
    ],
    [
      { ...least, authorization_list: [{ ...one, chain_id: (1n << 64n).toString() }] },
      "authorization_list[0].chain_id is too large.",
    ],
    [
      { ...least, authorization_list: [{ ...one, nonce: 0, ...signature, y_parity: 2 }] },
      "authorization_list[0].y_parity is too large.",
    ],
    ...["r", "s"].map((part): [Record<string, unknown>, string] => [
      { ...least, authorization_list: [{ ...one, nonce: 0, ...signature, [part]: "0x1" }] },
      "authorization_list[0].r and .s are not 0x followed by 64 hex digits.",
    ]),
  ])("is refused: %#", (fields, message) => {
    expect(() => readPreviewRequest(fields)).toThrow(expect.objectContaining({ code: "invalid_preview", message }));
  });

  it("has room for as much calldata as the limit says", () => {
    const data = `0x${"00".repeat(serviceLimits.previewDataBytesMax)}`;
    expect(readPreviewRequest({ ...least, data }).data).toBe(data);
  });

  it("has the name of its like only", () => {
    expect(nameOfRequest(request)).toMatch(/^preview:[0-9a-f]{64}$/);
    expect(nameOfRequest({ ...request })).toBe(nameOfRequest(request));
    expect(nameOfRequest({ ...request, value: 1n })).not.toBe(nameOfRequest(request));
  });
});
