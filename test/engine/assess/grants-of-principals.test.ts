import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { withPermitOwners } from "../../../src/engine/assess/principals.ts";
import { planLookups } from "../../../src/engine/spine.ts";
import { checksum } from "../../../src/kernel/address.ts";
import type { RpcFrame } from "../../../src/model/case-file.ts";
import { labels, ruleset } from "../../property/world.ts";
import {
  actOf,
  alice,
  answers,
  approval,
  approveCall,
  caseOf,
  explain,
  findings,
  flagged,
  history,
  maxUint,
  permit2,
  permit2Permit,
  router,
  type Scene,
  someone,
  spender,
  token,
  transfer,
  usdc,
} from "./scene.ts";

const unlimited = (scene: Scene) => flagged(scene, "unlimited_approval");
const bob = someone("bob");

function sourcesOf(scene: Scene) {
  return { ...actOf(caseOf(scene)), actors: [] };
}

/** A call of a token, with the logs that it wrote. */
function frame(
  from: string,
  to: string,
  input: `0x${string}`,
  logs: ReturnType<typeof approval>[] = [],
  first = 0,
): RpcFrame {
  const placed = logs.map((log, i) => ({ ...log, index: `0x${(first + i).toString(16)}`, position: "0x0" }));
  return { type: "CALL", from, to, input, logs: placed };
}

function permitCall(owner: string, to: string, amount: bigint): `0x${string}` {
  return encodeFunctionData({
    abi: parseAbi(["function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)"]),
    args: [
      checksum(owner as typeof alice) as never,
      to as never,
      amount,
      maxUint,
      27,
      `0x${"1".repeat(64)}`,
      `0x${"2".repeat(64)}`,
    ],
  });
}

function takeCall(owner: string, to: string, amount: bigint): `0x${string}` {
  return encodeFunctionData({
    abi: parseAbi(["function transferFrom(address, address, uint256)"]),
    args: [owner as never, to as never, amount],
  });
}

describe("grants count", () => {
  it("of the signer of a permit for a listed token, no matter who hands it in", () => {
    const logs = [approval(usdc, bob, spender, maxUint)];
    const frames = [frame(router, usdc, permitCall(bob, spender, maxUint), logs)];
    const [detail] = unlimited({ logs, frames });
    expect(detail).toContain(`The spender ${checksum(spender)}`);
    expect(detail).toContain(`from ${checksum(bob)}.`);
  });

  it("of the signer of an allowance that Permit2 keeps, but not of a contract that asks Permit2 itself", () => {
    const logs = [permit2Permit(bob, usdc, spender, (1n << 160n) - 1n)];
    const asked = (by: typeof bob) => ({
      logs,
      frames: [frame(by, permit2, "0x2b67b570", logs), frame(bob, spender, "0x")],
    });
    expect(findings(asked(router)).map(({ flag }) => flag)).toContain("unlimited_approval");
    const cover = { to: permit2, ...asked(bob) };
    expect(withPermitOwners([alice], sourcesOf(cover))).toEqual(new Set([alice]));
    expect(withPermitOwners([alice], sourcesOf(asked(router)))).toEqual(new Set([alice, bob]));
    // Without a call tree nobody knows who handed it in.
    expect(withPermitOwners([alice], sourcesOf({ logs }))).toEqual(new Set([alice]));
  });

  it("of the owner that a listed token or a known collection names, if another account asked for it", () => {
    const logs = [approval(usdc, bob, spender, maxUint)];
    const asked = (by: typeof bob) => ({
      logs,
      frames: [frame(by, usdc, "0x12345678", logs), frame(bob, spender, "0x")],
    });
    expect(withPermitOwners([alice], sourcesOf(asked(router)))).toEqual(new Set([alice, bob]));
    expect(withPermitOwners([alice], sourcesOf(asked(bob)))).toEqual(new Set([alice]));
    const inner = frame(usdc, someone("code"), "0x12345678", logs);
    const proxied = (by: typeof bob) => [
      { ...frame(by, usdc, "0x12345678", []), calls: [{ ...inner, type: "DELEGATECALL" }] },
      frame(bob, spender, "0x"),
    ];
    expect(withPermitOwners([alice], sourcesOf({ logs, frames: proxied(router) }))).toEqual(new Set([alice, bob]));
    expect(withPermitOwners([alice], sourcesOf({ logs, frames: proxied(bob) }))).toEqual(new Set([alice]));
  });

  it("of an account whose code asked for it because another called it, but not of one that asks for itself", () => {
    const of = (scene: Scene, owner = bob, to = spender) => {
      const logs = [approval(usdc, owner, to, maxUint)];
      const frames = [frame(owner, usdc, "0x12345678", logs), ...(scene.frames ?? [])];
      return withPermitOwners([alice], sourcesOf({ logs, ...scene, frames })).has(owner);
    };
    expect(of({})).toBe(true);
    expect(of({ frames: [frame(bob, router, "0x"), frame(router, spender, "0x")] })).toBe(true);
    expect(of({ frames: [frame(bob, spender, "0x")] })).toBe(false);
    expect(of({ frames: [{ ...frame(router, bob, "0x"), type: "CREATE2" }] })).toBe(false);
    expect(of({ to: bob })).toBe(false);
    expect(of({}, permit2)).toBe(false);
    expect(of({}, bob, permit2)).toBe(false);
  });

  it("without a call tree of the named owner, if an unknown contract was called and the owner did nothing", () => {
    const of = ({ to = router, ...scene }: Scene, owner = bob) => {
      const call = { id: 0, parent: -1, step: null, from: alice, to, state: "executed", input: "0x12345678" };
      return withPermitOwners([alice], { ...sourcesOf({ to, ...scene }), calls: [call as never] }).has(owner);
    };
    const logs = [approval(usdc, bob, spender, maxUint)];
    expect(of({ to: router, logs })).toBe(true);
    expect(of({ to: usdc, input: "0x12345678", logs })).toBe(true);
    expect(unlimited({ to: router, logs })[0]).toContain(`from ${checksum(bob)}.`);
    // A known contract that is called may have asked for its own rights.
    expect(of({ to: permit2, logs })).toBe(false);
    expect(of({ to: bob, logs })).toBe(false);
    expect(of({ to: router, logs: [...logs, approval(bob, alice, spender, 1n)] })).toBe(false);
    expect(of({ to: router, logs: [approval(usdc, bob, spender, 0n)] })).toBe(false);
    expect(of({ to: router, logs: [approval(token, bob, spender, maxUint)] })).toBe(false);
    expect(of({ logs: [approval(usdc, permit2, spender, 1n)] }, permit2)).toBe(false);
  });

  it("and not where a stranger's token names an owner", () => {
    const logs = [approval(token, bob, spender, maxUint)];
    expect(unlimited({ logs, frames: [frame(router, token, permitCall(bob, spender, maxUint), logs)] })).toEqual([]);
  });

  it("of listed tokens before any number of junk", () => {
    const junk = Array.from({ length: 30 }, (_, i) =>
      approval(someone(`junk token ${i}`), alice, someone("x"), maxUint),
    );
    const details = unlimited({ logs: [...junk, approval(usdc, alice, spender, maxUint)] });
    expect(details).toHaveLength(31);
    expect(details[0]).toContain(checksum(spender));
  });

  it("with what is left of a permit that was used in part, and not when it was used up", () => {
    const scene = (taken: bigint): Scene => {
      const logs = [approval(usdc, alice, spender, 9n), transfer(usdc, alice, bob, taken)];
      const frames = [
        frame(router, usdc, permitCall(alice, spender, 9n), logs.slice(0, 1)),
        frame(spender, usdc, takeCall(alice, bob, taken), logs.slice(1), 1),
      ];
      return { logs, frames, supplies: { [usdc]: 4n } };
    };
    expect(unlimited(scene(3n))).toHaveLength(1);
    expect(unlimited(scene(9n))).toEqual([]);
    expect(findings(scene(9n)).map(({ basis }) => basis)).toContain("revoked_in_tx");
  });
});

describe("without a call tree, an allowance beside a transfer", () => {
  const logs = (of: typeof token) => [approval(of, alice, spender, maxUint - 1n), transfer(of, alice, spender, 1n)];

  it("is a new one of a token that reports no spends", () => {
    expect(unlimited({ logs: logs(usdc) })[0]).toContain(checksum(spender));
  });

  it("cannot be told of any other: evidence, a note, and no flag", () => {
    const scene = {
      logs: logs(token),
      risk: answers({ history: { [alice]: history({ counterparties: [spender, router] }) } }),
    };
    expect(unlimited(scene)).toEqual([]);
    expect(findings(scene).find(({ basis }) => basis === "sentinel, event_only")?.detail).toContain("cannot be told");
    const { checks } = explain(scene);
    expect(checks.first_interaction).toBe("inconclusive");
    expect(checks.note).toContain("whether 1 allowance was given here");
  });
});

it("asks for the supply of the principals' listed tokens before that of junk", () => {
  const junk = Array.from({ length: 20 }, (_, i) => approval(someone(`junk token ${i}`), alice, bob, 5n));
  const draft = caseOf({
    logs: [...junk, approval(usdc, alice, spender, 5n)],
    to: usdc,
    input: approveCall(spender, 5n),
  });
  const { reads } = planLookups(draft, { ruleset, labels }, 8);
  expect(reads[0]?.to).toBe(usdc);
});
