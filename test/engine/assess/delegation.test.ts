import { numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { recoverAuthority } from "../../../src/engine/normalize/authority.ts";
import { checksum, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { answers, code, explain, flagged, someone } from "./scene.ts";

const account = privateKeyToAccount(`0x${"42".repeat(32)}`);
const authority = toAddress(account.address);
const delegate = someone("delegate");

async function sign(parts: { chainId?: number; nonce?: number; address?: typeof delegate } = {}) {
  const { chainId = 8453, nonce = 6, address = delegate } = parts;
  const signed = await account.signAuthorization({ chainId, nonce, address });
  return {
    ...{ chainId: numberToHex(chainId), nonce: numberToHex(nonce), address },
    ...{ yParity: numberToHex(signed.yParity ?? 0), r: signed.r, s: signed.s },
  };
}

describe("the authority of an EIP-7702 authorization", () => {
  it("has the account that signed it", async () => {
    for (const parts of [{}, { chainId: 0 }, { nonce: 0 }, { nonce: 300 }, { address: zeroAddress }])
      expect(recoverAuthority(await sign(parts))).toBe(authority);
  });

  it("has another account if anything was changed, and none without a signature", async () => {
    const signed = await sign();
    expect(recoverAuthority({ ...signed, nonce: "0x7" })).not.toBe(authority);
    expect(recoverAuthority({ chainId: signed.chainId, nonce: signed.nonce, address: delegate })).toBeUndefined();
    expect(recoverAuthority({ ...signed, r: "0x0", s: "0x0" })).toBeUndefined();
    expect(recoverAuthority({ ...signed, yParity: "0x5" })).toBeUndefined();
  });
});

describe("a delegation", () => {
  const risk = answers({ verification: { [delegate]: code({ status: "absent", logic: [delegate] }) } });

  it("of the subject to code without published source is flagged", async () => {
    const scene = { from: authority, authorizations: [await sign()], risk };
    expect(flagged(scene, "unverified_contract")[0]).toContain(`the delegate ${checksum(delegate)}`);
  });

  it("of another account that signed too is examined, no matter who sent it", async () => {
    const scene = { authorizations: [await sign()], risk };
    expect(flagged(scene, "unverified_contract")[0]).toContain(`the delegate ${checksum(delegate)}`);
  });

  it("that is cleared in the same transaction, or is for another chain, delegates nothing", async () => {
    const cleared = [await sign(), await sign({ nonce: 7, address: zeroAddress })];
    const elsewhere = [await sign({ chainId: 1 })];
    for (const authorizations of [cleared, elsewhere]) {
      expect(flagged({ from: authority, authorizations, risk }, "unverified_contract")).toEqual([]);
      expect(explain({ from: authority, authorizations, risk }).checks.unchecked_addresses).not.toContain(
        checksum(delegate),
      );
    }
  });
});
