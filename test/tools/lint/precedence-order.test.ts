import { describe, expect, it } from "vitest";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { precedenceFiles, precedenceList } from "../../../src/tools/lint/lists/order.ts";
import { shippedTables } from "../../support/shipped-tables.ts";

const text = `protocol: alpha
name: A protocol
kind: protocol
source: ex/book@0123456:A.md
contracts:
  desk: { The desk: "0x1111111111111111111111111111111111111111" }
  pair: { One: "0x2222222222222222222222222222222222222222", Two: "0x3333333333333333333333333333333333333333" }
abi:
  run: "function run(uint256 size)"
  stop: "function stop(uint256 size)"
  Ran: "event Ran(address by, uint256 size)"
rules:
  - { id: a, action: swap, anchor: { event: Ran }, at: desk, say: "do it" }
  - { id: b, action: claim, anchor: { call: run }, at: desk, tried: [run, stop], say: "do it" }
  - { id: c, action: swap, anchor: { call: stop }, at: desk, say: "do it" }
  - { id: d, action: claim, anchor: { event: Ran }, at: pair, say: "do it" }
  - { id: e, action: account_delegation, anchor: { event: Ran }, at: desk, also: { control: owner }, say: "do it" }
  - { id: f, action: governance, anchor: { event: Ran }, at: desk, also: { control: module }, say: "do it" }
  - { id: g, action: contract_interaction, anchor: { event: Ran }, at: desk, after: everything, say: "do it" }
  - { id: h, action: multisig_execution, anchor: { event: Ran }, at: any, subject: emitter, also: { control: owner }, say: "do it" }
  - { id: i, action: contract_interaction, anchor: { event: Ran }, at: desk, also: { control: operator }, say: "do it" }
  - { id: j, action: account_delegation, anchor: { authorization: set }, subject: { for: authority }, say: "do it" }
  - { id: k, action: account_delegation, anchor: { authorization: cleared }, say: "do it" }
`;
const loaded = compileSources([...shippedTables, { file: "rules/dex/alpha.yaml", text }]);

describe("the order of rules", () => {
  it("keeps rules of one action together, and attempts behind their act", () => {
    expect(loaded.diagnostics).toEqual([]);
    expect(precedenceList(loaded)).toBe(`multisig_execution (tier authority, control owner, rank 0)
  020  alpha/h: event Ran at any

governance (tier protocol, control module, rank 1)
  320  alpha/f: event Ran at desk

claim (tier protocol, rank 6)
  320  alpha/d: event Ran at pair
  310  alpha/b: call run at desk
  310  alpha/b reverted: call run at desk
  310  alpha/b reverted: call stop at desk

swap (tier protocol, rank 6)
  320  alpha/a: event Ran at desk
  310  alpha/c: call stop at desk

account_delegation (tier control, control owner, rank 0)
  320  alpha/e: event Ran at desk

contract_interaction (tier control, raised from fallback, control operator, rank 0)
  320  alpha/i: event Ran at desk

account_delegation (tier control, rank 0)
  010  alpha/j: authorization set
  010  alpha/k: authorization cleared by whom is not known

contract_interaction (tier act, raised from fallback, rank 0, yields)
  320  alpha/g: event Ran at desk
`);
  });

  it("does not depend on the order of files and rules", () => {
    const files = loaded.files.map((file) => ({ ...file, rules: [...file.rules].reverse() })).reverse();
    expect(precedenceList({ ...loaded, files })).toBe(precedenceList(loaded));
  });

  it("has action types by rank, those of one rank by name", () => {
    const lines = (precedenceFiles(loaded).get("actions.txt") ?? "").trimEnd().split("\n");
    const blocks = lines
      .join("\n")
      .split(/\n(?=\S)/)
      .map((block) => block.split("\n"));
    expect(blocks.map(([tier]) => tier)).toEqual([
      "system",
      "authority",
      "protocol",
      "flow",
      "control",
      "approval",
      "transfer",
      "fallback",
    ]);
    for (const [, ...types] of blocks) {
      const placed = types.map((line) => line.trim().split(/ +/) as [string, string]);
      expect(placed).toEqual([...placed].sort(([a, x], [b, y]) => Number(a) - Number(b) || (x < y ? -1 : 1)));
    }
    expect(lines.slice(lines.indexOf("approval"), lines.indexOf("transfer"))).toEqual([
      ...["approval", "  0  approval_for_all", "  1  erc20_approval", "  2  approval_revoked"],
    ]);
  });
});
