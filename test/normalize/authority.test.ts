import { concatHex, keccak256, numberToHex, toRlp } from "viem/utils";
import { describe, expect, it } from "vitest";
import type { RpcAuthorization } from "../../src/model/case-file.ts";
import { authorizationHash, isLowSignature, recoverAuthority } from "../../src/normalize/authority.ts";
import { alice, vault } from "../support/case-of.ts";

const base = { chainId: "0x2105", address: vault, nonce: "0x5" };
/** A small r has two more readings beyond the order of the curve. */
const small = { r: "0x1", s: "0x1" };
const signed = (parts: object) => recoverAuthority({ ...base, ...parts } as RpcAuthorization);

describe("who signed an authorization", () => {
  it("is told by a parity of 0 or 1, and by no other", () => {
    const [even, odd] = ["0x0", "0x1"].map((yParity) => signed({ ...small, yParity }));
    expect([even, odd]).toEqual([expect.stringMatching(/^0x[0-9a-f]{40}$/), expect.stringMatching(/^0x[0-9a-f]{40}$/)]);
    expect(even).not.toBe(odd);
    for (const r of Array.from({ length: 16 }, (_, i) => `0x${(i + 1).toString(16)}`))
      for (const yParity of ["0x2", "0x3", "0x4"]) expect(signed({ r, s: "0x1", yParity }), r).toBe(undefined);
  });

  it("is whoever is named, whatever the signature says", () => {
    expect(signed({ authority: alice.toUpperCase().replace("0X", "0x") })).toBe(alice);
    expect(signed({ authority: "0x12", ...small, yParity: "0x0" })).toBe(undefined);
  });

  it.each<[string, object]>([
    ["no parity", small],
    ["no r", { s: "0x1", yParity: "0x0" }],
    ["no s", { r: "0x1", yParity: "0x0" }],
    ["an r of nothing", { r: "0x0", s: "0x1", yParity: "0x0" }],
    ["an s of nothing", { r: "0x1", s: "0x0", yParity: "0x0" }],
    ["no chain", { ...small, yParity: "0x0", chainId: undefined }],
    ["no nonce", { ...small, yParity: "0x0", nonce: "five" }],
    ["no address", { ...small, yParity: "0x0", address: "0x12" }],
  ])("is not known by %s", (_what, parts) => expect(signed(parts)).toBe(undefined));

  it("is told by a hash that names the chain, the delegate and the nonce", () => {
    const hashes = [base, { ...base, chainId: "0x0" }, { ...base, address: alice }, { ...base, nonce: "0x0" }].map(
      authorizationHash,
    );
    expect(new Set(hashes).size).toBe(4);
    expect(authorizationHash({ ...base, nonce: "0x05" })).toBe(hashes[0]);
    expect(authorizationHash({ ...base, nonce: "five" })).toBe(undefined);
  });

  it.each([0n, 1n, 0x7fn, 0x80n, 0x100n, 8453n, 2n ** 64n - 1n, 2n ** 256n - 1n])(
    "is written as RLP writes it: %s",
    (value) => {
      const quantity = numberToHex(value);
      const parts = [value === 0n ? ("0x" as const) : quantity, vault] as const;
      const expected = keccak256(concatHex(["0x05", toRlp([...parts, parts[0]])]));
      expect(authorizationHash({ chainId: quantity, address: vault, nonce: quantity })).toBe(expected);
    },
  );

  it("signs with the lower s", () => {
    const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
    const isLow = (s: string | undefined) => isLowSignature({ ...base, s } as RpcAuthorization);
    expect([isLow(`0x${half.toString(16)}`), isLow(`0x${(half + 1n).toString(16)}`), isLow(undefined)]).toEqual([
      ...[true, false, true],
    ]);
  });
});
