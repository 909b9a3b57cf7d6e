import { describe, expect, it } from "vitest";
import { addressFileText, draftAddress, functionDrafts } from "../../../src/tools/lint/scaffold/address-draft.ts";
import { readAbiText } from "../../../src/tools/lint/scaffold/published-abi.ts";
import { lintFile, tableSources } from "./lint-written.ts";
import { address } from "./survey-of.ts";

const abi = `event Supplied(address indexed user, uint256 amount)
function total() view returns (uint256)
function approve(address spender, uint256 amount)
function setFee(uint256 fee)
function checkIn()
function enter(uint256 round) payable
function withdraw(address token, uint256 amount, address to)
function unstake(uint256 amount)
function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)`;

const orderOf = (text: string, more: object = {}) => ({
  ...{ protocol: "my-pool", file: "rules/lending/my-pool.yaml", address: address("b"), items: readAbiText(text) },
  ...{ name: null, role: "pool", action: null, ...more },
});
const drafted = (text: string, more: object = {}) => functionDrafts(orderOf(text, more));
/** What is drafted about one function, without its comments. */
const linesOf = (text: string, more: object = {}) =>
  (drafted(text, more)[0]?.lines ?? []).filter((line) => !line.includes("# draft:")).map((line) => line.trim());

describe("a draft about the functions of a contract", () => {
  it("is of those by which an account does something: known words first, then amounts, then ether", () => {
    expect(drafted(abi).map(({ item }) => item.name)).toEqual(["withdraw", "unstake", "supply", "enter", "checkIn"]);
    expect(drafted("function setFee(uint256 fee)\nfunction renounceOwnership()\nevent Ran()")).toEqual([]);
  });

  it("binds the token that goes in, and names who it is for", () => {
    expect(linesOf("function supply(address asset, uint256 amount, address onBehalfOf)")).toEqual([
      ...["- id: supply", "action: lending_supply", "anchor: { call: supply }", "at: pool", "money:"],
      ...["paid: { token: asset, from: subject, to: pool, amount: amount }", "rest: any"],
      ...['say: "supply {paid} to {protocol}[ for {onBehalfOf}]"', "tried: same"],
      'example: { to: pool, call: { supply: { asset: USDC, amount: "100000000", onBehalfOf: alice } }, logs: [{ transfer: { token: USDC, from: alice, to: pool, amount: "100000000" } }] }',
    ]);
  });

  it.each<[string, string[]]>([
    ["function unstake(uint256 amount)", ["got: { standards: [erc20], from: pool, to: subject, amount: amount }"]],
    [
      "function withdraw(uint256 assets, address to)",
      ["got: { standards: [erc20], from: pool, to: to, amount: assets }"],
    ],
    ["function enter(uint256 round) payable", ["money: { gives: some native, gets: any }"]],
    ["function checkIn()", ["money: { gives: nothing, gets: nothing }"]],
    ["function supply(uint256 paid)", ["money: { gives: nothing, gets: nothing }"]],
    [
      "function stake(uint256 pool, uint256 amount)",
      ["paid: { standards: [erc20], from: subject, to: pool, amount: amount }"],
    ],
  ])("says what moves by %s", (text, money) => {
    expect(linesOf(text).filter((line) => /^(?:paid|got|money): \{/.test(line))).toEqual(money);
  });

  it("has the action and the role that the author tells, else a published name, else a guess", () => {
    expect(linesOf("function checkIn()", { action: "social_action" })[1]).toBe("action: social_action");
    const roleIn = (more: object) => linesOf("function stake(uint256 amount)", more)[3];
    expect([roleIn({}), roleIn({ role: null }), roleIn({ role: null, name: "LendingPoolV2" })]).toEqual([
      ...["at: pool", "at: staking", "at: lending_pool"],
    ]);
  });

  it("shows what else the ABI has, up to a dozen", () => {
    const text = (abi: string) => {
      const order = orderOf(abi);
      return addressFileText(order, functionDrafts(order).slice(0, 1));
    };
    expect(text(abi)).toContain(
      '  # draft: perhaps Supplied: "event Supplied(address indexed user, uint256 amount)"\n',
    );
    expect(text(abi)).not.toContain("total");
    const many = Array.from({ length: 15 }, (_, i) => `function act${i}()`).join("\n");
    expect(text(many)).toContain('perhaps act12: "function act12()"\n  # draft: and 2 more.\nrules:\n');
  });
});

// Drafts are written in version 3 of the language.
describe("a drafted file", () => {
  it("passes lint, and says of each example what it is", () => {
    const result = draftAddress(orderOf(abi), tableSources);
    if ("problem" in result) throw new Error(result.problem);
    expect([result.action, result.anchor]).toEqual(["vault_withdraw", "call withdraw, unstake, supply, enter at pool"]);
    const { diagnostics, examples } = lintFile("rules/lending/my-pool.yaml", result.text);
    expect(diagnostics.filter(({ level }) => level !== "note")).toEqual([]);
    expect(examples().map(({ rule }) => rule)).toEqual(["withdraw", "unstake", "supply", "enter"]);
  });

  it("is none where nothing can be drafted that passes", () => {
    expect(draftAddress(orderOf("event Ran()"), tableSources)).toEqual({
      problem: "the ABI has no function by which an account does something",
    });
    expect(draftAddress(orderOf("function go()", { action: "bogus" }), tableSources)).toEqual({
      problem: expect.stringMatching(/^no rule could be drafted that passes: RL204 /),
    });
  });
});
