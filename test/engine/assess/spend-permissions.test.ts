import { encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiItem, toEventSelector, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { findAskedGrants } from "../../../src/engine/assess/grants/asked-grants.ts";
import { type Address, checksum } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { ruleset } from "../../property/world.ts";
import { alice, findings, flagged, permit2Permit, spender, usdc, word } from "./scene.ts";

const events = [...ruleset.grants.events.values()].flat();
const keeper = events.find(({ protocol }) => protocol === "Spend Permissions");
const manager = [...(keeper?.contracts ?? [])][0] as Address;
const permission =
  "(address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData) spendPermission";
const approved = parseAbiItem(`event SpendPermissionApproved(bytes32 indexed hash, ${permission})`);
const approve = parseAbi([`function approve(${permission})`]);
const endless = (1n << 160n) - 1n;
const never = 2 ** 48 - 1;

const permissionOf = (allowance: bigint, end: number) => ({
  ...{ account: checksum(alice) as Address, spender: checksum(spender) as Address, token: checksum(usdc) as Address },
  ...{ allowance, period: 86_400, start: 0, end, salt: 0n, extraData: "0x" as const },
});

/** The manager's log that a permission was given or revoked. */
function said(hash: number, allowance: bigint, { end = never, revoked = false } = {}): RpcLog {
  const name = revoked ? "SpendPermissionRevoked" : "SpendPermissionApproved";
  return {
    address: manager,
    topics: [toEventSelector({ ...approved, name }), toHex(hash, { size: 32 })],
    data: encodeAbiParameters([approved.inputs[1]], [permissionOf(allowance, end)]),
  };
}

/** The log in which Safe's module says how much a delegate may spend. */
function safeAllowance(amount: bigint): RpcLog {
  const event = parseAbiItem(
    "event SetAllowance(address indexed safe, address delegate, address token, uint96 allowanceAmount, uint16 resetTime)",
  );
  return {
    address: [...(events.find(({ event: { name } }) => name === "SetAllowance")?.contracts ?? [])][0] as Address,
    topics: [toEventSelector(event), word(alice)],
    data: encodeAbiParameters(event.inputs.slice(1), [checksum(spender), checksum(usdc), amount, 0] as never),
  };
}

const unlimited = (...logs: RpcLog[]) => flagged({ to: manager, logs }, "unlimited_approval");

describe("a spend permission", () => {
  it("without a limit is flagged, with its end", () => {
    expect(unlimited(said(1, endless))).toEqual([
      expect.stringMatching(
        /^The spender 0x\w{40} may take an effectively unlimited amount of the token 0x\w{40} from 0x\w{40} through Spend Permissions, without end\.$/,
      ),
    ]);
    expect(unlimited(said(1, endless, { end: 1_900_000_000 }))[0]).toContain(
      "through Spend Permissions, until 2030-03-17.",
    );
    const [finding] = findings({ to: manager, logs: [said(1, endless)] }).filter(({ flag }) => flag !== null);
    expect(finding).toMatchObject({ basis: "type_max, call", address: spender });
  });

  it("with a limit is not", () => {
    expect(unlimited(said(1, 5_000_000n))).toEqual([]);
  });

  it("is not hidden by another one of the same spender and token", () => {
    expect(unlimited(said(1, endless), said(2, 5_000_000n))).toHaveLength(1);
    expect(unlimited(said(1, endless), said(2, 5_000_000n), said(2, 5_000_000n, { revoked: true }))).toHaveLength(1);
    expect(unlimited(said(1, endless), said(2, endless))).toHaveLength(2);
  });

  it("that was revoked again is not flagged", () => {
    expect(unlimited(said(1, endless), said(1, endless, { revoked: true }))).toEqual([]);
  });

  it("does not hide what another contract keeps for that spender, nor the other way round", () => {
    const permit = permit2Permit(alice, usdc, spender, endless);
    expect(unlimited(permit, said(1, 5_000_000n))).toHaveLength(1);
    expect(unlimited(said(1, endless), permit2Permit(alice, usdc, spender, 1n))).toHaveLength(1);
    expect(unlimited(permit, safeAllowance(1n))).toHaveLength(1);
    expect(unlimited(safeAllowance((1n << 96n) - 1n), permit2Permit(alice, usdc, spender, 1n))).toHaveLength(1);
  });

  it("is told with others if the calls that ask for them were not simulated", () => {
    const calls = [endless, 5_000_000n].map((amount, id) => ({
      ...{ id, from: alice, to: manager, delegate: false },
      input: encodeFunctionData({ abi: approve, args: [permissionOf(amount, never)] }),
    }));
    const grants = findAskedGrants({ calls: calls as never, ruleset });
    expect(grants.map(({ owner, grantee, amount, expiration }) => [owner, grantee, amount, expiration])).toEqual([
      [alice, spender, endless, BigInt(never)],
      [alice, spender, 5_000_000n, BigInt(never)],
    ]);
  });
});
