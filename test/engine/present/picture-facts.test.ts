import { describe, expect, it } from "vitest";
import type { Grant } from "../../../src/engine/assess/grants/grants.ts";
import { gatherPictureFacts } from "../../../src/engine/present/picture-facts.ts";
import { type Address, checksum } from "../../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../../src/kernel/amount.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { inTurn, labels, move, namesOf, numbered, odd, teller } from "./named-world.ts";

describe("the facts for a picture", () => {
  const grant = (more: object): Grant =>
    ({
      ...{
        owner: alice,
        grantee: bob,
        kind: "erc20",
        token: usdc,
        amount: 1_500_000n,
        manager: null,
        expiration: null,
      },
      ...{ uncertain: false, stands: true, logs: [], basis: "call", ...more },
    }) as Grant;
  const facts = (
    parts: {
      tx?: object;
      grants?: Grant[];
      calls?: object[];
      kept?: Movement[];
      settled?: object;
      logs?: object[];
      file?: object;
    } = {},
  ) => {
    const tx = {
      ...{ from: alice, to: vault, movements: [], logs: [], mode: "mined", status: "success", input: "0x12345678ff" },
      ...parts.tx,
    };
    const findings = {
      ...{ tx, subject: alice, labels, unwrapped: { calls: parts.calls ?? [] } },
      ...{ settled: { actions: [], ...parts.settled }, completeness: { findLogs: () => parts.logs ?? [] } },
      file: parts.file ?? { trace: { source: "none" }, transaction: {}, receipt: {} },
      ruleset: {
        grants: { unlimited: new Set([7n]), events: new Map() },
        errors: new Map(),
        causes: new Map(),
        phrasedCauses: new Map(),
      },
      assessment: { grants: parts.grants ?? [] },
    } as never;
    return gatherPictureFacts(findings, parts.kept ?? [], { names: namesOf(), teller });
  };

  it("are the account that acted, and the contract that it called", () => {
    const none = { legs: [], cut: 0, changes: [], grants: [], labels: {}, failures: [], logs: [] };
    expect(facts()).toEqual({ subject: checksum(alice), sender: checksum(alice), target: checksum(vault), ...none });
    expect(facts({ tx: { to: null } }).target).toBeNull();
    expect(facts({ tx: { to: usdc } }).labels).toEqual({ [checksum(usdc)]: "USDC" });
  });

  it("say about each movement what the answer does not", () => {
    const kept = inTurn([
      move(alice, bob, 1n),
      move(alice, bob, 1n, odd, { fee: true }),
      move(alice, bob, 1n, odd, { standard: "erc721", tokenId: 1n, basis: "inferred" }),
      move(alice, bob, 1n, token, { basis: "calldata" }),
    ]);
    const told = facts({ kept, tx: { movements: [...kept, move(bob, carol, 1n)] } });
    expect(told.legs.map(({ movement, fee, raw, inferred }) => [movement, fee, raw, inferred])).toEqual([
      [0, false, false, false],
      [1, true, true, false],
      [2, false, false, true],
      [3, false, false, true],
    ]);
    expect(told.cut).toBe(1);
  });

  it("sum up what the subject has more and less of, starting with what it gave", () => {
    const movements = inTurn([
      move(bob, alice, 5n, token),
      move(alice, bob, 2n, token),
      move(alice, bob, 10n ** 18n),
      move(alice, bob, 3n, odd),
      move(bob, alice, 1n, odd, { standard: "erc1155", tokenId: 9n }),
      move(alice, bob, 4n, usdc),
      move(bob, alice, 4n, usdc),
      move(alice, alice, 5n, weth),
      move(bob, carol, 5n, weth),
    ]);
    const change = (of: Address | null, name: string, delta: string, more: object = {}) => ({
      ...{
        token: name,
        untrusted: false,
        token_address: of === null ? null : checksum(of),
        delta,
        raw: false,
        ...more,
      },
    });
    const short = teller.short(odd);
    expect(facts({ tx: { movements } }).changes).toEqual([
      change(null, "ETH", "-1"),
      change(odd, short, "-3", { raw: true }),
      change(token, "ODD", "0.03", { untrusted: true }),
      change(odd, short, "1", { token_id: "9" }),
    ]);
    const many = inTurn(Array.from({ length: 201 }, (_, i) => move(alice, bob, 1n, numbered(i))));
    expect(facts({ tx: { movements: many } }).changes).toHaveLength(200);
  });

  it.each<[object, object]>([
    [{}, { amount: "1.5", unlimited: false, kind: "amount", raw: false, through: null, until: null }],
    [{ amount: unlimitedThreshold }, { unlimited: true }],
    [{ amount: unlimitedThreshold - 1n }, { unlimited: false }],
    [{ amount: 7n }, { unlimited: true, amount: "0.000007" }],
    [
      { amount: 9n, manager: { unlimited: 9n, never: 5n, protocol: "Permit2" } },
      { unlimited: true, through: "Permit2" },
    ],
    [{ expiration: 1_772_366_400n }, { until: "2026-03-01" }],
    [{ expiration: 253_402_300_799n }, { until: "9999-12-31" }],
    [{ expiration: 253_402_300_800n }, { until: null }],
    [{ expiration: 5n, manager: { unlimited: 9n, never: 5n, protocol: "P" } }, { until: null }],
    [
      { amount: null, kind: "operator" },
      { kind: "operator", amount: null, unlimited: false, raw: false },
    ],
    [{ amount: null, kind: "nft" }, { kind: "nft" }],
    [
      { kind: "managed", token: odd, uncertain: true },
      { kind: "amount", raw: true, amount: "1500000", uncertain: true },
    ],
  ])("tells a right %#", (given, expected) => {
    expect(facts({ grants: [grant(given)] }).grants).toEqual([expect.objectContaining(expected)]);
  });

  it("leave out rights that ended, and rights after the first fifty", () => {
    expect(facts({ grants: [grant({ stands: false })] }).grants).toEqual([]);
    expect(facts({ grants: Array.from({ length: 51 }, () => grant({})) }).grants).toHaveLength(50);
  });

  it("say what failed: the whole transaction, or calls inside; without a simulation nothing", () => {
    const call = (state: string, more: object = {}) => ({ actor: alice, to: bob, input: "0x12345678", state, ...more });
    const whole = {
      ...{ from: checksum(alice), to: checksum(vault), selector: "0x12345678" },
      reason: null,
      untrusted: false,
    };
    const inner = { ...whole, to: checksum(bob) };
    expect(facts({ tx: { status: "reverted" }, calls: [call("failed")] }).failures).toEqual([whole]);
    expect(facts({ tx: { status: "reverted", to: null, input: "0x123456" } }).failures).toEqual([
      { ...whole, to: null, selector: null },
    ]);
    expect(facts({ tx: { status: "reverted" }, file: { trace: { root: { error: "odd thing" } } } }).failures).toEqual([
      { ...whole, reason: '"odd thing"', untrusted: true },
    ]);
    const calls = [call("executed"), call("failed"), call("failed", { to: null, input: "0x" })];
    expect(facts({ calls }).failures).toEqual([inner, { ...inner, to: null, selector: null }]);
    expect(facts({ calls: Array(21).fill(call("failed")) }).failures).toHaveLength(20);
    expect(facts({ tx: { status: "reverted", mode: "requested" } }).failures).toEqual([]);
    const named = (count: number) =>
      facts({ calls: [...Array(count).fill(call("failed")), call("failed", { actor: weth, to: usdc })] }).labels;
    expect(named(19)).toEqual({ [checksum(weth)]: "WETH9", [checksum(usdc)]: "USDC" });
    expect(named(20)).toEqual({});
    expect(facts({ grants: [grant({ owner: usdc, grantee: weth })], kept: [move(weth, alice, 1n)] }).labels).toEqual({
      ...{ [checksum(weth)]: "WETH9", [checksum(usdc)]: "USDC" },
    });
  });

  it("list the logs that actions rest on and those that no action explains, once and in order", () => {
    const log = (topics: string[]) => ({ address: bob, topics });
    const tx = { logs: [log(["0xa"]), log([]), log(["0xc"])] };
    const settled = { actions: [{ logs: [2, 0] }, { logs: [2, 9] }] };
    expect(facts({ tx, settled, logs: [{ index: 1 }, { index: 0 }] }).logs).toEqual([
      { log: 0, address: checksum(bob), topic0: "0xa" },
      { log: 1, address: checksum(bob), topic0: null },
      { log: 2, address: checksum(bob), topic0: "0xc" },
    ]);
    const many = { logs: Array.from({ length: limits.evidenceMax + 2 }, () => log([])) };
    const all = many.logs.map((_, index) => ({ index }));
    expect(facts({ tx: many, logs: all }).logs).toHaveLength(limits.evidenceMax);
    expect(
      facts({ tx: many, settled: { actions: [{ logs: [limits.evidenceMax + 1] }] }, logs: all }).logs.at(-1)?.log,
    ).toBe(limits.evidenceMax - 1);
  });
});
