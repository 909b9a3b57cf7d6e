import { describe, expect, it } from "vitest";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { precedenceFiles, precedenceList, precedenceOf } from "../../../src/tools/lint/lists/order.ts";
import { protocolList } from "../../../src/tools/lint/lists/protocol-list.ts";
import { shippedTables } from "../../support/shipped-tables.ts";

const rule = (id: string, more: string) => `  - { id: ${id}, action: stake, ${more}, say: "do it" }\n`;
const file = (path: string, rules: string) => ({
  file: `rules/${path}.yaml`,
  text: `protocol: ${path.split("/")[1]}
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
${rules}`,
});
const event = rule("event", "anchor: { event: Ran }, at: desk");
const loaded = compileSources([
  ...shippedTables,
  file(
    "staking/beta",
    rule("event", "anchor: { event: Ran }, at: desk, before: [plain, flow]") +
      rule("both", "anchor: { event: Ran, within: run }, at: desk, subject: by") +
      rule("plain", "anchor: { call: [run, stop] }, at: desk, tried: run") +
      rule("flow", "money: { gives: some, gets: nothing }"),
  ),
  file(
    "dex/alpha",
    rule("event", "anchor: { event: Ran }, at: [desk, pair], tried: [{ call: run, at: any }]") +
      rule("moved", "anchor: { transfer: { from: desk, to: any } }") +
      `  - { id: swap, action: swap, anchor: { call: run }, at: desk, say: "swap it" }\n`,
  ),
  ...[1, 2, 3, 4].map((n) => file(`dex/gamma${n}`, event)),
]);

describe("the order of rules", () => {
  it("is told by tier, rank, action and how much a rule asks for", () => {
    expect(loaded.diagnostics).toEqual([]);
    expect(precedenceList(loaded)).toBe(`stake (tier protocol, rank 4)
  330  beta/both: event Ran at desk beside call run at desk
  320  alpha/event: event Ran at desk, pair
  320  beta/event: event Ran at desk; over beta/flow, beta/plain
  320  gamma1/event: event Ran at desk
  320  gamma2/event: event Ran at desk
  320  gamma3/event: event Ran at desk
  320  gamma4/event: event Ran at desk
  310  alpha/moved: transfer from desk to any
  310  beta/plain: call run, stop at desk
  310  beta/plain reverted: call run at desk

swap (tier protocol, rank 6)
  310  alpha/swap: call run at desk

stake (tier flow, capped from protocol, rank 4)
  010  alpha/event reverted: call run at any
  000  beta/flow: money flow
`);
  });

  it("of one protocol is told with the rules of others", () => {
    expect(precedenceOf("beta", loaded)).toBe(`stake (tier protocol, rank 4)
  330  beta/both: event Ran at desk beside call run at desk
       before alpha/event, gamma1/event, gamma2/event, gamma3/event and 2 more
  320  beta/event: event Ran at desk; over beta/flow, beta/plain
       before alpha/moved
       level with alpha/event, gamma1/event, gamma2/event, gamma3/event and 1 more
  310  beta/plain: call run, stop at desk
       level with alpha/moved
       behind alpha/event, gamma1/event, gamma2/event, gamma3/event and 1 more
  310  beta/plain reverted: call run at desk

stake (tier flow, capped from protocol, rank 4)
  000  beta/flow: money flow
`);
    expect(precedenceOf("gamma1", loaded)).toBe(`stake (tier protocol, rank 4)
  320  gamma1/event: event Ran at desk
       before alpha/moved, beta/plain
       level with alpha/event, beta/event, gamma2/event, gamma3/event and 1 more
       behind beta/both
`);
    expect(precedenceOf("none", loaded)).toBe("\n");
  });

  it("has a file for each protocol, without ranks, and one for the types", () => {
    const files = precedenceFiles(loaded);
    expect([...files.keys()]).toEqual([
      ...["actions.txt", "dex/alpha.txt"],
      ...[1, 2, 3, 4].map((n) => `dex/gamma${n}.txt`),
      "staking/beta.txt",
    ]);
    const broken = [{ source: { file: "rules/dex/broken.yaml" }, rules: [] }];
    expect([...precedenceFiles({ ...loaded, files: broken } as never).keys()]).toEqual(["actions.txt"]);
    expect(files.get("dex/alpha.txt")).toBe(`stake (tier protocol)
  320  alpha/event: event Ran at desk, pair
  310  alpha/moved: transfer from desk to any

swap (tier protocol)
  310  alpha/swap: call run at desk

stake (tier flow, capped from protocol)
  010  alpha/event reverted: call run at any
`);
    expect(files.get("actions.txt")).toMatch(
      /^system\n {2}0 {2}account_abstraction_bundle\n {2}0 {2}system_transaction\n/,
    );
    expect(files.get("actions.txt")).toMatch(/\nfallback\n {2}0 {2}contract_interaction\n {2}0 {2}unknown\n$/);
  });
});

describe("the list of protocols", () => {
  const made = (path: string, document: object) => ({ source: { file: `rules/${path}.yaml` }, document, scope: {} });
  const zeta = {
    ...{ protocol: "zeta", name: "Ze|ta_[1]", kind: "protocol", site: "https://zeta.example" },
    rules: [{ action: "swap" }, { action: "claim" }, { action: "swap" }],
    contracts: { main_pool: ["0x1"], vault: ["0x2", "0x3"] },
    members: { made_pool: {} },
    examples: [{ tx: "0x1" }, { tx: "0x1" }, { tx: "0x2" }, {}],
  };

  it("tells by family what is known, the names in order", () => {
    const files = [
      made("tokens/zeta", zeta),
      made("tokens/plain", { protocol: "plain", kind: "standard", examples: [{}] }),
      made("dex/only", { protocol: "only", name: "Only", kind: "protocol", members: { pool: {} } }),
      { source: { file: "rules/dex/broken.yaml" } },
    ];
    expect(protocolList({ files } as never)).toBe(`# Protocols

Made from rules/ by \`npm run docs\`.

2 protocols and 1 standard, 3 rules, 5 examples. A contract that is *proven* is made by
a factory; its membership is shown anew in each transaction. Recorded examples are real transactions.

## dex

| Protocol | Actions | Contracts | Examples |
|---|---|---|---|
| Only | names only | pool (proven) | 0 |

## tokens

| Protocol | Actions | Contracts | Examples |
|---|---|---|---|
| plain | names only | any | 1 |
| [Ze\\|ta\\_\\[1\\]](https://zeta.example) | \`claim\` \`swap\` | main pool, vault × 2, made pool (proven) | 4 (2 recorded) |
`);
  });
});
