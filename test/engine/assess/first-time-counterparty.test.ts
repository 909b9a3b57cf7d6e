import { describe, expect, it } from "vitest";
import { type Address, checksum, toAddress } from "../../../src/kernel/address.ts";
import type { HistoryLookup } from "../../../src/model/risk-lookups.ts";
import { labels } from "../../property/world.ts";
import {
  alice,
  answers,
  approval,
  approveCall,
  code,
  explain,
  flagged,
  history,
  permit2,
  router,
  type Scene,
  someone,
  spender,
  token,
  transfer,
  usdc,
  weth,
} from "./scene.ts";

const bob = someone("bob");
const knowing = (parts: Partial<HistoryLookup>) => answers({ history: { [alice]: history(parts) } });
const flags = (scene: Scene) => flagged(scene, "first_time_counterparty");
const pays: Scene = { to: usdc, input: "0xa9059cbb", logs: [transfer(usdc, alice, bob, 5n)] };
const approves: Scene = { to: token, input: approveCall(spender, 5n), logs: [approval(token, alice, spender, 5n)] };

describe("first_time_counterparty fires", () => {
  it("for the first payment to somebody: the receiver of the tokens, never the token", () => {
    expect(flags({ ...pays, risk: knowing({ counterparties: [router] }) })).toEqual([
      `${checksum(alice)} never called, paid or approved the recipient ${checksum(bob)} before.`,
    ]);
  });

  it("for the first approval of a spender, though the token was used before", () => {
    const [detail, ...others] = flags({ ...approves, risk: knowing({ counterparties: [token] }) });
    expect(detail).toContain(`the spender ${checksum(spender)} before.`);
    expect(others).toEqual([]);
  });

  it("for a called contract, and for a plain payment of ether", () => {
    expect(flags({ risk: knowing({}) })[0]).toContain(`the called contract ${checksum(router)}`);
    expect(flags({ to: bob, input: "0x", value: 5n, risk: knowing({}) })[0]).toContain(
      `the recipient ${checksum(bob)}`,
    );
  });

  it("and tells if the stranger looks like a known account: the same four first and last hex digits", () => {
    const twin = toAddress(`${bob.slice(0, 6)}${"7".repeat(32)}${bob.slice(-4)}`);
    expect(flags({ ...pays, risk: knowing({ counterparties: [twin] }) })[0]).toContain(
      `before; its first 4 and last 4 hex digits are those of ${checksum(twin)}, with which the account dealt before.`,
    );
    const other = toAddress(`${bob.slice(0, 5)}${"7".repeat(32)}${bob.slice(-5)}`);
    expect(flags({ ...pays, risk: knowing({ counterparties: [other] }) })[0]).not.toContain("hex digits");
  });

  it("but finds no likeness in ends of one repeated digit", () => {
    const vanity = toAddress(`0x0000${"8".repeat(32)}0000`);
    const twin = toAddress(`0x0000${"7".repeat(32)}0000`);
    const scene = { ...pays, logs: [transfer(usdc, alice, vanity, 5n)] };
    expect(flags({ ...scene, risk: knowing({ counterparties: [twin] }) })[0]).not.toContain("hex digits");
  });
});

describe("first_time_counterparty stays silent", () => {
  it("for an account that the subject dealt with before", () => {
    expect(flags({ ...pays, risk: knowing({ counterparties: [bob] }) })).toEqual([]);
  });

  it("for a contract that our labels name", () => {
    expect(flags({ to: permit2, risk: knowing({}) })).toEqual([]);
  });

  it("for a contract that the account itself created here", () => {
    const frames = [{ type: "CREATE", from: alice, to: bob, input: "0x", calls: [] }];
    expect(flags({ ...pays, frames, risk: knowing({}) })).toEqual([]);
  });

  it("but not for one that somebody else's contract created", () => {
    const frames = [{ type: "CREATE2", from: someone("maker"), to: bob, input: "0x", calls: [] }];
    expect(flags({ ...pays, frames, risk: knowing({}) })).toHaveLength(1);
  });

  it("for the account's own Safe, under a singleton that we know, and no imitation of one", () => {
    const singleton = toAddress("0x29fcb43b46531bca003ddc8fcb67ffe91900c762");
    expect(labels.name(singleton)).toBeDefined();
    const safe = (logic: Address) =>
      answers({ verification: { [bob]: code({ logic: [logic], via: ["safe"], owned: true }) } });
    expect(flags({ ...pays, risk: safe(singleton) })).toEqual([]);
    expect(flags({ ...pays, risk: safe(someone("imitation")) })).toHaveLength(1);
  });

  it("for a pool that a trade passed through", () => {
    const pool = someone("pool");
    const logs = [transfer(usdc, alice, pool, 5n), transfer(weth, pool, alice, 7n)];
    const risk = { ...knowing({ counterparties: [router] }), verification: { [pool]: code() } };
    expect(flags({ logs, risk })).toEqual([]);
  });

  it("but not for a receiver that gave a token of a stranger's making", () => {
    const pool = someone("pool");
    const risk = { ...knowing({ counterparties: [router] }), verification: { [pool]: code() } };
    for (const to of [alice, someone("other")])
      expect(flags({ logs: [transfer(usdc, alice, pool, 5n), transfer(token, pool, to, 7n)], risk }).join()).toContain(
        `the recipient ${checksum(pool)}`,
      );
  });

  it("for the pool of such a token, where the account asked a contract that we know", () => {
    const pool = someone("pool");
    const risk = { ...knowing({}), verification: { [pool]: code() } };
    const logs = [transfer(usdc, alice, pool, 5n), transfer(token, pool, alice, 7n)];
    expect(flags({ to: permit2, logs, risk })).toEqual([]);
  });
});

describe("first_interaction says how far it reached", () => {
  const status = (scene: Scene) => explain(scene).checks.first_interaction;
  it.each([
    ["ok", knowing({})],
    ["ok", knowing({ counterparties: [bob] })],
    ["inconclusive", knowing({ status: "inconclusive", complete: false })],
    ["inconclusive", knowing({ unordered: [bob] })],
    ["unavailable", knowing({ status: "unavailable", complete: false })],
    ["unavailable", answers({ history: {} })],
  ] as const)("%s", (expected, risk) => {
    expect(status({ ...pays, risk })).toBe(expected);
    if (expected !== "ok") expect(flags({ ...pays, risk })).toEqual([]);
  });

  it("ok if an incomplete history still names the counterparty", () => {
    expect(status({ ...pays, risk: knowing({ status: "inconclusive", complete: false, counterparties: [bob] }) })).toBe(
      "ok",
    );
  });

  it("inconclusive about approvals of an account that acts through code", () => {
    const risk = knowing({ through_code: true });
    expect(status({ ...approves, risk })).toBe("inconclusive");
    expect(flags({ ...approves, risk })).toEqual([]);
  });

  it("not applicable when only known names took part", () => {
    expect(status({ to: usdc, input: "0xa9059cbb", risk: knowing({}) })).toBe("not_applicable");
  });
});
