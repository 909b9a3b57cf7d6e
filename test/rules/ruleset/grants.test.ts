import { describe, expect, it } from "vitest";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import {
  admits,
  allowsSpending,
  type GrantCall,
  granteeOf,
  readRights,
} from "../../../src/rules/ruleset/grant-table.ts";
import { compileTexts } from "./rule-text.ts";

const keeper = toAddress("0xA238Dd80C259a72e81d7e4664a9801593F98d1c5");
const stranger = toAddress("0x6Cb442acF35158D5eDa88fe602221b67B400Be3E");

/** A file about a contract that keeps allowances. `rest`: more sections of the file. */
function keeperFile(rest: string): string {
  return `protocol: keeper
name: Keeper
kind: protocol
contracts:
  keeper: { source: example book, Keeper keeper: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
members:
  made: { created: { contract: keeper, event: Failed, argument: account } }
abi:
  Allowed: "event Allowed(address indexed owner, address indexed token, address spender, uint128 amount, uint40 until)"
  Closed: "event Closed(address owner, address token, address spender)"
  Failed: "event Failed(address indexed account, bool ok)"
  allow: "function allow(address token, address spender, uint128 amount)"
  setAllowed: "function setAllowed(address who, bool allowed)"
  allowAll: "function allowAll(address owner, address operator)"
${rest}`;
}

function compile(rest: string) {
  const { ruleset, diagnostics } = compileTexts({ keeper: keeperFile(rest) });
  return { ruleset, found: diagnostics.map(({ code, message }) => `${code} ${message}`) };
}

describe("grants", () => {
  it("know their contracts, arguments and largest numbers", () => {
    const { ruleset, found } = compile(`rights:
  - { event: Allowed, at: keeper, owner: owner, token: token, spender: spender, amount: amount, until: until }
  - { event: Closed, at: keeper, owner: owner, token: token, spender: spender }`);
    expect(found).toEqual([]);
    const [[allowed] = [], [closed] = []] = [...ruleset.grants.events.values()];
    expect(allowed).toMatchObject({
      protocol: "Keeper",
      owner: [0],
      token: [1],
      spender: [2],
      amount: [3],
      until: [4],
    });
    expect(allowed).toMatchObject({ unlimited: (1n << 128n) - 1n, never: (1n << 40n) - 1n });
    expect([...(allowed?.contracts ?? [])]).toEqual([keeper]);
    expect(closed).toMatchObject({ amount: null, until: null, unlimited: null });
    expect([...ruleset.grants.unlimited]).toEqual([(1n << 128n) - 1n]);
  });

  it("tell calls that allow the caller's own tokens to be spent from others", () => {
    const { ruleset, found } = compile(`rights:
  - { call: allow, at: keeper, spender: spender, amount: amount }
  - { call: allowAll, owner: owner, spender: operator }`);
    expect(found).toEqual([]);
    const [allow, allowAll] = [...ruleset.grants.calls.keys()] as [string, string];
    expect(allowsSpending(ruleset.grants, `${allow}00`)).toBe(true);
    expect(allowsSpending(ruleset.grants, `${allowAll}00`)).toBe(false);
    expect(allowsSpending(ruleset.grants, "0x")).toBe(false);
    const contracts = ruleset.grants.calls.get(allow)?.[0]?.contracts ?? null;
    expect([keeper, stranger, null].map((address) => admits(contracts, address))).toEqual([true, false, false]);
    expect(admits(null, stranger)).toBe(true);
  });

  it("tell whom the caller gives a right, and when it is taken back", () => {
    const { ruleset, found } = compile(`rights:
  - { call: allow, at: keeper, spender: spender, amount: amount }
  - { call: allowAll, owner: owner, spender: operator }
  - { call: setAllowed, spender: who, given: allowed }`);
    expect(found).toEqual([]);
    const [allow, allowAll, set] = [...ruleset.grants.calls.keys()] as [string, string, string];
    const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, "0");
    const grantee = (to: Address, ...parts: string[]) => granteeOf(ruleset.grants, to, parts.join(""));
    expect(grantee(keeper, allow, word(1n), word(stranger), word(5n))).toBe(stranger);
    expect(grantee(keeper, allow, word(1n), word(stranger), word(0n))).toBeNull();
    expect(grantee(stranger, allow, word(1n), word(stranger), word(5n))).toBeUndefined();
    expect(grantee(keeper, allow, word(1n))).toBeUndefined();
    // The right is somebody else's to give.
    expect(grantee(keeper, allowAll, word(stranger), word(keeper))).toBeUndefined();
    expect(grantee(stranger, set, word(keeper), word(1n))).toBe(keeper);
    expect(grantee(stranger, set, word(keeper), word(0n))).toBeNull();
    // A right over all there is allows no amount.
    expect(allowsSpending(ruleset.grants, `${set}00`)).toBe(false);
    expect(grantee(keeper, "0x")).toBeUndefined();
    const read = (selector: string, ...parts: string[]) =>
      readRights(ruleset.grants.calls.get(selector)?.[0] as GrantCall, [selector, ...parts].join(""));
    const none = { owner: null, amount: null, token: null, until: null, key: "" };
    expect(read(allow, word(1n), word(stranger), word(5n))).toEqual([
      { ...none, spender: stranger, amount: 5n, given: true },
    ]);
    expect(read(allowAll, word(stranger), word(keeper))).toEqual([
      { ...none, owner: stranger, spender: keeper, given: true },
    ]);
    expect(read(set, word(keeper), word(0n))).toEqual([{ ...none, spender: keeper, given: false }]);
    expect(read(allow, word(1n))).toBeUndefined();
  });

  it("tell each right of a list, and none where there is no list", () => {
    const item = compileTexts({
      keeper: keeperFile(
        `rights: [{ call: many, each: list, spender: item.who, token: item.what, amount: item.sum, given: on, until: end }]\n`,
      ).replace(
        "  allowAll:",
        '  many: "function many((address who, address what, uint256 sum)[] list, bool on, uint256 end)"\n  allowAll:',
      ),
    }).ruleset.grants;
    const [selector, [grant] = []] = [...item.calls][0] ?? ["", []];
    const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, "0");
    const call = (on: bigint, ...rights: [string, string, bigint][]) =>
      [selector, word(96n), word(on), word(77n), word(BigInt(rights.length)), ...rights.flat().map(word)].join("");
    const read = (input: string) => readRights(grant as GrantCall, input);
    const right = { owner: null, until: 77n, key: "" };
    expect(read(call(1n, [keeper, stranger, 5n], [stranger, keeper, 0n]))).toEqual([
      { ...right, spender: keeper, token: stranger, amount: 5n, given: true },
      { ...right, spender: stranger, token: keeper, amount: 0n, given: false },
    ]);
    expect(read(call(0n, [keeper, stranger, 5n]))).toEqual([
      { ...right, spender: keeper, token: stranger, amount: 5n, given: false },
    ]);
    expect([read(call(1n)), read(call(1n, [keeper, stranger, 5n]).slice(0, -2)), read("0x")]).toEqual([
      ...[[], undefined, undefined],
    ]);
    expect([granteeOf(item, stranger, call(1n)), granteeOf(item, stranger, call(1n, [keeper, stranger, 5n]))]).toEqual([
      ...[undefined, keeper],
    ]);
    expect(allowsSpending(item, call(1n))).toBe(true);
  });

  it.each([
    ["an unknown event", "{ event: Alowed, at: keeper, owner: owner, token: token, spender: spender }", "RL302"],
    ["an unknown contract", "{ event: Allowed, at: keper, owner: owner, token: token, spender: spender }", "RL302"],
    ["any contract", "{ event: Allowed, at: any, owner: owner, token: token, spender: spender }", "RL303"],
    ["a member", "{ event: Allowed, at: made, owner: owner, token: token, spender: spender }", "RL303"],
    [
      "an owner that is no address",
      "{ event: Allowed, at: keeper, owner: amount, token: token, spender: spender }",
      "RL303",
    ],
    [
      "an amount that is no number",
      "{ event: Allowed, at: keeper, owner: owner, token: token, spender: spender, amount: token }",
      "RL303",
    ],
    ["an unknown function", "{ call: alow, spender: spender }", "RL302"],
    ["an owner that the call does not name", "{ call: allowAll, owner: holder, spender: operator }", "RL303"],
    ["a spender that is no address", "{ call: allow, at: keeper, spender: amount }", "RL303"],
    [
      "what is given without being true or false",
      "{ call: allow, at: keeper, spender: spender, given: amount }",
      "RL303",
    ],
  ])("refuse %s", (_what, entry, code) => {
    const { ruleset, found } = compile(`rights: [${entry}]`);
    expect(found.map((line) => line.slice(0, 5))).toContain(code);
    expect([ruleset.grants.events.size, ruleset.grants.calls.size]).toEqual([0, 0]);
  });
});

describe("failures", () => {
  it("know whose call failed", () => {
    const { ruleset, found } = compile(`failures:
  - { event: Failed, at: keeper, account: account, success: ok, what: "the order of {account} failed" }
  - { event: Closed, account: emitter, what: "the order of {account} was closed" }`);
    expect(found).toEqual([]);
    expect(ruleset.failures).toMatchObject([
      { account: 0, success: 1 },
      { contracts: null, account: null, success: null },
    ]);
  });

  it.each([
    ["an account that is no address", "account: ok", "RL303"],
    ["a success that is not true or false", "account: account, success: account", "RL303"],
    ["an unknown placeholder", "account: account", "RL501", "the order of {owner} failed"],
  ])("refuse %s", (_what, fields, code, what = "the order of {account} failed") => {
    const { found } = compile(`failures: [{ event: Failed, at: keeper, ${fields}, what: "${what}" }]`);
    expect(found.map((line) => line.slice(0, 5))).toEqual([code]);
  });
});
