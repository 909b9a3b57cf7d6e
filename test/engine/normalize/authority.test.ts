import { secp256k1 } from "@noble/curves/secp256k1";
import fc from "fast-check";
import { concatHex, keccak256, numberToHex, toRlp } from "viem/utils";
import { describe, expect, it } from "vitest";
import { authorizationHash, isLowSignature, recoverAuthority } from "../../../src/engine/normalize/authority.ts";
import type { RpcAuthorization } from "../../../src/model/case-file.ts";
import { alice, vault } from "../../support/case-of.ts";

const base = { chainId: "0x2105", address: vault, nonce: "0x5" };
/** A small r has two more readings, above the order of the curve. */
const small = { r: "0x1", s: "0x1" };
const signed = (parts: object) => recoverAuthority({ ...base, ...parts } as RpcAuthorization);

describe("the signer of an authorization", () => {
  it("is told by a parity of 0 or 1, and by no other", () => {
    const [even, odd] = ["0x0", "0x1"].map((yParity) => signed({ ...small, yParity }));
    expect([even, odd]).toEqual([expect.stringMatching(/^0x[0-9a-f]{40}$/), expect.stringMatching(/^0x[0-9a-f]{40}$/)]);
    expect(even).not.toBe(odd);
    for (const r of Array.from({ length: 16 }, (_, i) => `0x${(i + 1).toString(16)}`))
      for (const yParity of ["0x2", "0x3", "0x4"]) expect(signed({ r, s: "0x1", yParity }), r).toBe(undefined);
  });

  it("is the account that is named, no matter what the signature says", () => {
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

  it("is found by the hash of EIP-7702, for numbers of any size", () => {
    const rlp = (value: bigint) => (value === 0n ? "0x" : numberToHex(value));
    const sized = fc
      .integer({ min: 0, max: 256 })
      .chain((bits) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }));
    fc.assert(
      fc.property(sized, sized, (chainId, nonce) => {
        const expected = keccak256(concatHex(["0x05", toRlp([rlp(chainId), vault, rlp(nonce)])]));
        expect(
          authorizationHash({ address: vault, chainId: `0x${chainId.toString(16)}`, nonce: `0x${nonce.toString(16)}` }),
        ).toBe(expected);
      }),
      {
        examples: [
          [0n, 0n],
          [0x7fn, 0x80n],
          [(1n << 248n) - 1n, 1n << 255n],
        ],
      },
    );
  });

  it("is the account that another library recovers, or none if that finds none", () => {
    const digest = (authorizationHash(base) as string).slice(2);
    const recovered = (parity: number, r: bigint, s: bigint) => {
      try {
        const signature = new secp256k1.Signature(r, s).addRecoveryBit(parity);
        const key = signature.recoverPublicKey(digest).toRawBytes(false);
        return `0x${keccak256(key.subarray(1)).slice(-40)}`;
      } catch {
        return undefined;
      }
    };
    const { n } = secp256k1.CURVE;
    const wide = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
    fc.assert(
      fc.property(fc.constantFrom(0, 1), wide, wide, (parity, r, s) => {
        const [left, right] = [r, s].map((value) => `0x${value.toString(16)}`);
        expect(signed({ yParity: `0x${parity}`, r: left, s: right })).toBe(recovered(parity, r, s));
      }),
      {
        numRuns: 60,
        examples: [n - 1n, n, n + 1n, 1n, 0n].flatMap((one) => [[0, one, 1n] as const, [1, 1n, one] as const]) as [
          number,
          bigint,
          bigint,
        ][],
      },
    );
    const key = secp256k1.utils.randomPrivateKey();
    const { r, s, recovery } = secp256k1.sign(digest, key);
    const own = keccak256(secp256k1.getPublicKey(key, false).subarray(1)).slice(-40);
    expect(signed({ yParity: `0x${recovery}`, r: `0x${r.toString(16)}`, s: `0x${s.toString(16)}` })).toBe(`0x${own}`);
  });

  it("signs with the lower s", () => {
    const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
    const isLow = (s: string | undefined) => isLowSignature({ ...base, s } as RpcAuthorization);
    expect([isLow(`0x${half.toString(16)}`), isLow(`0x${(half + 1n).toString(16)}`), isLow(undefined)]).toEqual([
      ...[true, false, true],
    ]);
  });
});
