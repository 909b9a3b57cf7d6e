import { readFileSync } from "node:fs";
import { encodeFunctionData, keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { parseDrainers } from "../../../src/gather/network/drainers/drainer-list.ts";
import { checksum } from "../../../src/kernel/address.ts";
import { findShared } from "../../support/shared.ts";
import {
  alice,
  answers,
  approval,
  approveCall,
  drainers,
  entryPoint,
  erc20,
  explain,
  flagged,
  maxUint,
  router,
  type Scene,
  someone,
  spender,
  token,
  transfer,
  usdc,
  weth,
  word,
} from "./scene.ts";

const listed = (address: ReturnType<typeof someone>) =>
  answers({ drainers: drainers([{ address, list: "list.txt" }]) });
const flags = (scene: Scene) => flagged(scene, "known_drainer");

/** The event of one user operation that succeeded. */
function operationOf(account: ReturnType<typeof someone>) {
  const topic = keccak256(toHex("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"));
  return {
    address: entryPoint,
    topics: [topic, word(9n), word(account), word(0n)],
    data: `${word(0n)}${word(1n).slice(2)}${word(7n).slice(2)}${word(7n).slice(2)}`,
  };
}

describe("known_drainer fires", () => {
  it("for a listed receiver, with role, list and day of the snapshot", () => {
    const bob = someone("bob");
    const scene = { to: usdc, input: "0xa9059cbb" as const, logs: [transfer(usdc, alice, bob, 5n)] };
    expect(flags({ ...scene, risk: listed(bob) })).toEqual([
      `The recipient ${checksum(bob)} is on the drainer list list.txt, as of 2026-01-02.`,
    ]);
  });

  it("for a listed spender, though the transaction goes to the token", () => {
    const scene = { to: token, input: approveCall(spender, 5n), logs: [approval(token, alice, spender, 5n)] };
    expect(flags({ ...scene, risk: listed(spender) })[0]).toContain(`The spender ${checksum(spender)} is on`);
  });

  it("for a listed delegate of an EIP-7702 authorization", () => {
    const delegate = someone("delegate");
    const authorizations = [{ chainId: "0x2105", address: delegate, nonce: "0x1" }];
    expect(flags({ authorizations, risk: listed(delegate) })[0]).toContain(`The delegate ${checksum(delegate)} is on`);
  });

  it("for an account that sends for the subject, and for one that its action names", () => {
    const thief = someone("bob");
    const logs = [operationOf(someone("account"))];
    const bundled: Scene = { from: thief, to: entryPoint, input: "0x1fad948c", logs };
    expect(flags({ ...bundled, risk: listed(thief) })[0]).toContain(`The sender ${checksum(thief)} is on`);
    const input = encodeFunctionData({
      abi: erc20,
      functionName: "transferFrom",
      args: [someone("victim"), thief, 5n],
    });
    const pulled: Scene = { to: usdc, input, logs: [transfer(usdc, someone("victim"), thief, 5n)] };
    expect(flags({ ...pulled, risk: listed(thief) })[0]).toContain(`The recipient ${checksum(thief)} is on`);
  });

  it("for the account that sends it, and for the account of a user operation", () => {
    const input = encodeFunctionData({
      abi: erc20,
      functionName: "transferFrom",
      args: [someone("victim"), token, 5n],
    });
    const pulled: Scene = { to: usdc, input, logs: [transfer(usdc, someone("victim"), token, 5n)] };
    expect(flags({ ...pulled, risk: listed(alice) })).toEqual([
      `The sender ${checksum(alice)} is on the drainer list list.txt, as of 2026-01-02.`,
    ]);
    const account = someone("account");
    const bundled: Scene = {
      from: someone("bundler"),
      to: entryPoint,
      input: "0x1fad948c",
      logs: [operationOf(account)],
    };
    expect(flags({ ...bundled, risk: listed(account) })).toEqual([
      `The account ${checksum(account)} is on the drainer list list.txt, as of 2026-01-02.`,
    ]);
  });

  it("for a called contract, and for each list that names it", () => {
    const hits = ["one.txt", "two.txt"].map((list) => ({ address: router, list }));
    expect(flags({ risk: answers({ drainers: drainers(hits) }) })).toHaveLength(2);
  });
});

describe("known_drainer follows the money", () => {
  const pool = someone("pool");
  const second = someone("second");

  it("through a contract that passes it on", () => {
    const logs = [
      transfer(usdc, alice, router, 5n),
      transfer(usdc, router, pool, 5n),
      transfer(usdc, pool, second, 5n),
    ];
    expect(flags({ logs, risk: listed(second) })[0]).toContain(checksum(second));
  });

  it("that got the proceeds of an exchange instead of the subject", () => {
    const logs = [
      transfer(usdc, alice, pool, 5n),
      transfer(weth, pool, router, 5n),
      transfer(weth, router, second, 5n),
    ];
    expect(flags({ logs, risk: listed(second) })[0]).toContain(checksum(second));
  });

  it("and says where it was not asked about the last one", () => {
    const logs = [transfer(usdc, alice, router, 5n), transfer(usdc, router, someone("last"), 5n)];
    const { checks } = explain({ logs, risk: listed(second) });
    expect(checks.drainer_blacklist).toBe("partial");
    expect(checks.unchecked_addresses).toContain(checksum(someone("last")));
  });

  it("and says where the way was too long to follow", () => {
    const ways = Array.from({ length: 20 }, (_, i) => transfer(usdc, someone(`way${i}`), someone(`way${i + 1}`), 5n));
    const { checks } = explain({ logs: [transfer(usdc, alice, someone("way0"), 5n), ...ways], risk: listed(second) });
    expect(checks.note).toContain("1 asset was not followed to whoever has it in the end.");
  });
});

describe("known_drainer stays silent", () => {
  it("for a pool on the way of other people's swap", () => {
    const pool = someone("pool");
    const logs = [
      transfer(usdc, alice, router, 5n),
      transfer(token, pool, someone("bob"), 5n),
      transfer(usdc, someone("bob"), pool, 5n),
    ];
    expect(flags({ logs, risk: listed(pool) })).toEqual([]);
  });

  it("when nothing could be asked", () => {
    expect(flags({})).toEqual([]);
  });
});

describe("drainer_blacklist says how far it reached", () => {
  const list = {
    name: "list.txt",
    snapshot_time: "2026-01-01T00:00:00.000Z",
    sha256: "0".repeat(64),
    entries: 3,
    stale: false,
  };
  const none = { ...list, snapshot_time: null, sha256: null, entries: 0, stale: true };
  it.each([
    ["ok", [list]],
    ["ok", [{ ...list, newest_entry: "2025-10-05" }]],
    ["ok", [list, { ...list, newest_entry: "2024-02-28" }]],
    ["inconclusive", [{ ...list, newest_entry: "2025-10-03" }]],
    ["inconclusive", [{ ...list, snapshot_time: "2025-10-03T23:59:59.000Z" }]],
    ["inconclusive", [{ ...list, stale: true, newest_entry: "2024-02-28" }, none]],
    ["partial", [{ ...list, stale: true }]],
    ["partial", [list, none]],
    ["unavailable", [none]],
    ["unavailable", []],
  ] as const)("%s", (status, lists) => {
    const risk = answers({ drainers: drainers([], { lists: [...lists] }) });
    const { checks } = explain({ risk });
    expect(checks.drainer_blacklist).toBe(status);
    expect(/drainer list/.test(checks.note ?? "")).toBe(status !== "ok");
  });

  it("and names the day until which the newest of the lists knows drainers", () => {
    const lists = ["2023-12-02", "2024-02-28", "2018-11-06"].map((day) => ({ ...list, newest_entry: day }));
    const { checks } = explain({ risk: answers({ drainers: drainers([], { lists }) }) });
    expect(checks.note).toContain("The newest entry of the drainer lists is of 2024-02-28: later drainers are not");
  });

  it("partial when an address came to light too late to be looked for", () => {
    const { checks } = explain({ risk: answers({ drainers: drainers([], { asked: [] }) }) });
    expect(checks.drainer_blacklist).toBe("partial");
    expect(checks.unchecked_addresses).toContain(checksum(router));
  });
});

it.skipIf(findShared("facts/drainers.txt") === undefined)("known_drainer finds the entries of a real list", () => {
  const addresses = parseDrainers(readFileSync(findShared("facts/drainers.txt") as string, "utf8"))?.addresses ?? [];
  expect(addresses).toHaveLength(2530);
  const known = addresses[100] as (typeof addresses)[number];
  const scene = { to: usdc, input: "0xa9059cbb" as const, logs: [transfer(usdc, alice, known, maxUint)] };
  expect(flags({ ...scene, risk: listed(known) })).toHaveLength(1);
});
