import { numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { isLowSignature } from "../../../src/engine/normalize/authority.ts";
import { standingAuthorizations } from "../../../src/engine/normalize/authorizations.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { alice, bob, carol, caseOf, vault, zero } from "../../support/case-of.ts";

const [one, other] = ["42", "43"].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`)) as [Signer, Signer];
type Signer = ReturnType<typeof privateKeyToAccount>;
const authority = toAddress(one.address);

async function sign(address: typeof vault, nonce: number, { by = one, chainId = 8453 } = {}) {
  const signed = await by.signAuthorization({ chainId, nonce, address });
  return {
    ...{ chainId: numberToHex(chainId), nonce: numberToHex(nonce), address },
    ...{ yParity: numberToHex(signed.yParity ?? 0), r: signed.r, s: signed.s },
  };
}

type Signed = Awaited<ReturnType<typeof sign>>;

function read(list: Partial<Signed>[], sender: { from?: string; nonce?: string } = {}, truncated: string[] = []) {
  return standingAuthorizations(caseOf({ transaction: { ...sender, authorizationList: list as Signed[] } }), truncated);
}

describe("EIP-7702 authorizations that took effect", () => {
  it("are each told for their signer, no matter who sent the transaction", async () => {
    const list = [await sign(vault, 5), await sign(bob, 9, { by: other, chainId: 0 })];
    expect(read(list)).toEqual([
      { authority, delegate: vault },
      { authority: toAddress(other.address), delegate: bob },
    ]);
  });

  it("are the last valid one of each account, and clearing counts", async () => {
    const list = [await sign(vault, 5), await sign(carol, 8, { by: other }), await sign(zero, 6), await sign(bob, 7)];
    expect(read(list.slice(0, 3)).map(({ delegate }) => delegate)).toEqual([carol, zero]);
    expect(read(list).map(({ delegate }) => delegate)).toEqual([carol, bob]);
  });

  it("are not those for another chain, or with a signature that EIP-2 refuses", async () => {
    const valid = await sign(vault, 5);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const high = { s: numberToHex(order - BigInt(valid.s ?? 0)), yParity: valid.yParity === "0x0" ? "0x1" : "0x0" };
    expect(read([await sign(vault, 5, { chainId: 1 })])).toEqual([]);
    expect(read([{ ...valid, ...high } as Signed])).toEqual([]);
  });

  it("are not those whose nonce was used up before them in the list", async () => {
    expect(read([await sign(vault, 5), await sign(bob, 5)])).toEqual([{ authority, delegate: vault }]);
  });

  it("of the sender start behind the nonce of the transaction itself", async () => {
    const list = [await sign(bob, 9), await sign(vault, 6), await sign(carol, 5)];
    expect(read(list, { from: authority, nonce: "0x5" })).toEqual([{ authority, delegate: vault }]);
  });

  it("are told in every way in which the list can be read, where the nonce is not known", async () => {
    const delegates = read([await sign(vault, 5), await sign(bob, 3)]).map(({ delegate }) => delegate);
    expect(delegates).toEqual([vault, bob]);
  });

  it("are read up to a limit, those that may be the sender's first, and what is left out is named", async () => {
    const decoys = Array.from({ length: limits.authorizationsMax + 3 }, () => ({
      ...{ chainId: "0x2105", nonce: "0x999", address: bob },
    })) as Partial<Signed>[];
    const truncated: string[] = [];
    const found = read([...decoys, await sign(vault, 6)], { from: authority, nonce: "0x5" }, truncated);
    expect(found).toHaveLength(limits.authorizationsMax);
    expect(found.at(1)).toEqual({ authority, delegate: vault });
    expect(truncated).toEqual(["4 authorizations"]);
  });

  it("are not hidden by many that are alike, wherever they stand", async () => {
    const alike = (count: number) =>
      Array.from({ length: count }, () => ({ chainId: "0x2105", nonce: "0x999", address: bob }));
    const list = [...alike(limits.authorizationsMax + 3), await sign(vault, 6), ...alike(9)] as Partial<Signed>[];
    const found = read(list, {}, []);
    expect(found.slice(0, 3).map(({ delegate }) => delegate)).toEqual([bob, vault, bob]);
    expect(found).toHaveLength(limits.authorizationsMax);
  });

  it("have no account without a valid signature, and never that of the sender", async () => {
    const { chainId, nonce } = await sign(vault, 5);
    const bare = { chainId, nonce, address: vault };
    const lists: Partial<Signed>[][] = [[bare], [{ ...bare, yParity: "0x0", r: "0x0", s: "0x0" }]];
    for (const list of lists) expect(read(list, { from: alice })).toEqual([{ authority: null, delegate: vault }]);
  });
});

describe("a signature", () => {
  it("is low up to half of the order of the curve", () => {
    // secp256k1 (SEC 2), n = 2 * half + 1.
    const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
    const isLow = (s: bigint) => isLowSignature({ s: `0x${s.toString(16)}` } as never);
    expect([0n, 1n, half, half + 1n, 2n * half].map(isLow)).toEqual([true, true, true, false, false]);
  });
});
