import { describe, expect, it } from "vitest";
import { checksum, zeroAddress } from "../../../src/kernel/address.ts";
import {
  alice,
  flagged,
  permissionManager,
  type Scene,
  safeAllowance,
  someone,
  spender,
  spendPermission,
  usdc,
} from "./scene.ts";

const unlimited = (scene: Scene) => flagged(scene, "unlimited_approval");

describe("unlimited_approval fires", () => {
  it("for a spend permission without a limit, beside others of that spender, and not once it is revoked", () => {
    const all = [usdc, spender, (1n << 160n) - 1n] as const;
    const little = spendPermission(alice, [usdc, spender, 5n], { salt: 1n });
    const other = spendPermission(alice, [usdc, spender, 5n], { salt: 2n, event: "SpendPermissionRevoked" });
    const logs = [spendPermission(alice, all), little, other];
    const [detail, ...more] = unlimited({ to: permissionManager, logs });
    expect([detail?.endsWith("through Spend Permissions, without end."), more]).toEqual([true, []]);
    const revoked = [...logs, spendPermission(alice, all, { event: "SpendPermissionRevoked" })];
    expect(unlimited({ to: permissionManager, logs: revoked })).toEqual([]);
    expect(unlimited({ to: permissionManager, logs: [little] })).toEqual([]);
    // Whoever handed in the signature of the account.
    const handed = [spendPermission(someone("owner"), all)];
    expect(unlimited({ to: permissionManager, logs: handed })).toHaveLength(1);
  });

  it.each([
    [usdc, "the token 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"],
    [zeroAddress, "ether"],
  ])("for a delegate who may spend a Safe's money without a limit: %s", (of, named) => {
    const safe = someone("a Safe");
    const scene = (amount: bigint): Scene => ({ logs: [safeAllowance(safe, spender, of, amount)] });
    expect(unlimited(scene((1n << 96n) - 1n))).toEqual([
      `The spender ${checksum(spender)} may take an effectively unlimited amount of ${named} from ${checksum(safe)} through Safe allowances, without end.`,
    ]);
    expect(unlimited(scene(5n))).toEqual([]);
  });
});
