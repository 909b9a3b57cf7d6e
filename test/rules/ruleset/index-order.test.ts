import { describe, expect, it } from "vitest";
import { listCatalog } from "../../../src/rules/ruleset/catalog.ts";
import { describeProtocols } from "../../../src/rules/ruleset/protocol-facts.ts";
import { compileTexts } from "./rule-text.ts";

const wrapper = (protocol: string, ids: string[]) => `protocol: ${protocol}
kind: standard
abi:
  run: "function run(address target, bytes data)"
wrappers:
${ids.map((id) => `  - { id: ${id}, call: run, at: any, inner: { from: call.to, to: args.target, data: data } }`).join("\n")}
rules: []`;

const pool = "0xa238dd80c259a72e81d7e4664a9801593f98d1c5";
const vault = "0x6cb442acf35158d5eda88fe602221b67b400be3e";

/** A protocol with two contracts; `rest` is appended. */
const file = (protocol: string, rest: string, kind = "protocol") => `protocol: ${protocol}
name: ${protocol.toUpperCase()}Name
kind: ${kind}
source: example book
contracts:
  vault: { ${protocol} vault: "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E" }
  pool: { ${protocol} pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
members:
  made: { registry: { contract: vault, read: isPool } }
  sprung: { created: { contract: vault, event: Moved, argument: from } }
  derived: { create2: { deployer: vault, init_code_hash: "0x1111111111111111111111111111111111111111111111111111111111111111", reads: [isPool] } }
abi:
  isPool: "function isPool(address pool) view returns (bool)"
  Moved: "event Moved(address indexed from, address indexed to, uint256 amount)"
  move: "function move(uint256 amount)"
  push: "function push(address to)"
${rest}`;
const rule = (id: string, rest: string) => `  - { id: ${id}, say: "do it", ${rest} }\n`;

describe("what stands on one selector", () => {
  it("is tried in the order of ids, in whatever order files and entries come", () => {
    const texts = { a: wrapper("a", ["z", "b"]), b: wrapper("b", ["y", "a"]) };
    const orders = [texts, { b: texts.b, a: texts.a }].map((files) => {
      const { ruleset } = compileTexts(files);
      return [...ruleset.unwrappers.values()].map((list) => list.map(({ id }) => id));
    });
    expect(orders).toEqual([[["a/b", "a/z", "b/a", "b/y"]], [["a/b", "a/z", "b/a", "b/y"]]]);
  });
});

describe("the index of rules", () => {
  const rules = `rules:
${rule("moved", "action: stake, anchor: { event: Moved }, at: pool")}
${rule("called", "action: claim, anchor: { call: [move, push] }, at: pool, tried: [push, move]")}
${rule("any", "action: stake, anchor: { call: any }, at: [pool, vault]")}
${rule("nowhere", "action: stake, anchor: { call: any }, at: any")}
${rule("got", "action: stake, anchor: { transfer: { from: pool, to: vault } }")}
${rule("given", "action: stake, anchor: { transfer: { to: vault } }")}
${rule("flown", "action: stake, money: { gives: some }")}
${rule("delegated", "action: stake, anchor: { authorization: set }")}
`;
  const { ruleset, files, diagnostics } = compileTexts({ b: file("b", rules), a: file("a", rules, "standard") });
  const ids = (list: readonly { id: string; attempt: number | null }[] = []) =>
    list.flatMap(({ id, attempt }) => (id.startsWith("b/") ? [] : `${id.slice(2)}${attempt ?? ""}`));
  const index = (map: ReadonlyMap<string, readonly { id: string; attempt: number | null }[]>) =>
    [...map].map(([key, list]) => [key, ids(list)]);

  it("has each rule where it is looked for, in the order of ids", () => {
    expect(diagnostics).toEqual([]);
    const all = [
      "any",
      "called",
      "called",
      "called0",
      "called1",
      "delegated",
      "flown",
      "given",
      "got",
      "moved",
      "nowhere",
    ];
    expect(ids(ruleset.rules)).toEqual(all);
    expect(ruleset.rules.map(({ id }) => id).slice(all.length)).toEqual(all.map((id) => `b/${id.replace(/\d$/, "")}`));
    const [moved, move, push] = ["Moved", "move", "push"].map((name) => files[0]?.scope?.abi.get(name)?.hash as string);
    expect(index(ruleset.byTopic)).toEqual([[moved, ["moved"]]]);
    expect(index(ruleset.bySelector)).toEqual([
      [move, ["called", "called1"]],
      [push, ["called", "called0"]],
    ]);
    expect(index(ruleset.byTarget)).toEqual([
      [pool, ["any"]],
      [vault, ["any"]],
    ]);
    expect(index(ruleset.byParty)).toEqual([
      [vault, ["given"]],
      [pool, ["got"]],
    ]);
    expect([ids(ruleset.unanchored), ids(ruleset.authorized)]).toEqual([["flown"], ["delegated"]]);
  });

  it("names contracts in the order of their addresses and labels", () => {
    expect(ruleset.names.map(({ address, label }) => [address, label])).toEqual([
      [vault, "a vault"],
      [vault, "b vault"],
      [pool, "a pool"],
      [pool, "b pool"],
    ]);
  });

  it("is told as a catalog: each protocol with its actions, each action with its tier", () => {
    const { protocols, actionTypes } = listCatalog({ ...ruleset, rules: ruleset.rules.toReversed() });
    expect(protocols).toEqual([
      { id: "a", name: null, actions: ["claim", "stake"] },
      { id: "b", name: "BName", actions: ["claim", "stake"] },
    ]);
    const types = [...ruleset.actions.values()].map(({ id, tier, definition }) => ({ id, tier, definition }));
    expect(actionTypes).toEqual(types.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  });

  it("is told as facts about each protocol, in the order of ids", () => {
    const facts = describeProtocols(files.toReversed());
    expect(facts.map(({ id, name, family, site }) => [id, name, family, site])).toEqual([
      ["a", null, "rules", null],
      ["b", "BName", "rules", null],
    ]);
    const [{ contracts, members, rules: told } = { contracts: [], members: [], rules: [] }] = facts;
    expect(contracts).toEqual([
      ...[
        {
          role: "vault",
          label: "a vault",
          address: "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E",
          source: ["example book"],
        },
      ],
      ...[
        {
          role: "pool",
          label: "a pool",
          address: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5",
          source: ["example book"],
        },
      ],
    ]);
    expect(members).toEqual([
      { role: "made", proof: "registry" },
      { role: "sprung", proof: "creation" },
      { role: "derived", proof: "address" },
    ]);
    expect(told.map(({ id, action, says, anchor }) => [id, action, says, anchor])).toEqual([
      ["moved", "stake", "do it", "event Moved at pool"],
      ["called", "claim", "do it", "call move or push at pool"],
      ["any", "stake", "do it", "call any at pool or vault"],
      ["nowhere", "stake", "do it", "call any at any"],
      ["got", "stake", "do it", "a transfer"],
      ["given", "stake", "do it", "a transfer"],
      ["flown", "stake", "do it", "what moved"],
      ["delegated", "stake", "do it", "an EIP-7702 authorization"],
    ]);
  });
});

describe("custom errors of all files", () => {
  const withError = (protocol: string, signature: string) =>
    `protocol: ${protocol}\nkind: standard\nabi: { Some: "error ${signature}", Ping: "event Ping(address who)", ping: "function ping(address who)" }\nrules: []`;

  it("are known by their selector, unless two files spell one differently", () => {
    // The two have one selector.
    const [one, other] = ["many_msg_babbage(bytes1 a)", "transfer(address a, uint256 b)"];
    const known = (texts: Record<string, string>) =>
      [...compileTexts(texts).ruleset.errors].map(([hash, { signature }]) => [hash, signature]);
    expect(known({ a: withError("a", one) })).toEqual([["0xa9059cbb", "many_msg_babbage(bytes1)"]]);
    expect(known({ a: withError("a", other), b: withError("b", "transfer(address to, uint256 amount)") })).toEqual([
      ["0xa9059cbb", "transfer(address,uint256)"],
    ]);
    expect(known({ a: withError("a", one), b: withError("b", one), c: withError("c", other) })).toEqual([]);
    expect(known({ a: withError("a", one), b: withError("b", other) })).toEqual([]);
  });
});
