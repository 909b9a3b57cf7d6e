import { describe, expect, it } from "vitest";
import type { FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { type PublishedFacts, surveyCase } from "../../../src/tools/lint/scaffold/survey.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTables } from "../../support/shipped-tables.ts";
import { build } from "./given-example.ts";

const rules = `protocol: desk
name: Desk
kind: protocol
source: ex/book@0123456:A.md
contracts:
  desk: { The desk: "0x1111111111111111111111111111111111111111" }
abi:
  run: "function run(uint256 size)"
  Held: "event Held(address args, uint8 count)"
  pass: "function pass(address to, bytes data)"
wrappers:
  - { id: pass, call: pass, at: any, inner: { to: to, data: data } }
rules:
  - { id: hold, action: stake, anchor: { event: Held }, at: desk, say: "hold it" }
`;
const loaded = compileSources([...shippedTables, { file: "rules/desk.yaml", text: rules }]);
const labels = shippedLabels();
const nothing: PublishedFacts = { items: [], published: new Map(), role: null, action: null };
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const pool = "0xa238dd80c259a72e81d7e4664a9801593f98d1c5";
const second = "0x6cb442acf35158d5eda88fe602221b67b400be3e";
const desk = "0x1111111111111111111111111111111111111111";

function seen(given: Record<string, unknown>, findings: Partial<PublishedFacts> = {}) {
  const caseFile = build({ from: "alice", ...given });
  const { contracts, stands } = surveyCase({ caseFile, loaded, labels }, { ...nothing, ...findings });
  const told = contracts.map(({ role, address, label, source, calls, logs }) => [
    ...[role, address, label, source].filter((part) => part !== undefined),
    ...calls.map(({ selector, known }) => `called ${known?.signature ?? selector} ${known?.origin ?? ""}`.trim()),
    ...logs.map(({ known }) => `logged ${known?.signature ?? "something"} ${known?.origin ?? ""}`.trim()),
  ]);
  return { told, stands };
}

const run = { run: { size: 1 } };
const transfer = { transfer: { token: "USDC", from: "alice", to: "pool", amount: 5 } };
const held = (at: string) => ({ Held: { at, args: "bob", count: 1 } });

describe("a survey of a transaction", () => {
  it("finds what was called and what was said, with the signatures that files know", () => {
    expect(seen({ to: "pool", call: run, logs: [transfer, held("pool.1"), { Paid: { at: "pool" } }] })).toEqual({
      stands: [],
      told: [
        ["entry", pool, "called function run(uint256 size) rules/desk.yaml", "logged something"],
        ["module", second, "logged event Held(address args, uint8 count) rules/desk.yaml"],
      ],
    });
  });

  it("takes a token that was called for the protocol only where nothing explains the transaction", () => {
    expect(seen({ to: "USDC", call: run }).told.map(([, address]) => address)).toEqual([usdc]);
    expect(seen({ to: "USDC", call: run, logs: [held(desk)] })).toEqual({ stands: ["desk/hold"], told: [] });
    expect(seen({ to: "bob", logs: [transfer] }).told).toEqual([]);
  });

  it("leaves out what files name, the subject, and calls without a selector", () => {
    expect(seen({ to: desk, call: run, logs: [held("alice"), held("pool")] }).told.map(([, one]) => one)).toEqual([
      pool,
    ]);
    expect(seen({ to: "pool", value: 5 }).told).toEqual([]);
    expect(seen({ to: "alice", call: run }).told).toEqual([]);
  });

  it("finds the call that another one carries, not that one", () => {
    const word = (hex: string) => hex.padStart(64, "0");
    const [pass, inner] = ["function pass(address to, bytes data)", "function run(uint256 size)"].map(
      (signature) => parseSignature(signature) as FunctionItem,
    );
    const input = `${inner?.hash.slice(2)}${word("1")}`.padEnd(128, "0");
    const data = `${pass?.hash}${word(second.slice(2))}${word("40")}${word("24")}${input}`;
    expect(seen({ to: "pool", data }).told).toEqual([
      ["entry", second, "called function run(uint256 size) rules/desk.yaml"],
    ]);
  });

  it("believes what is published about a contract before what anybody says, and the author's role before all", () => {
    const own = parseSignature("function run(uint256 size)");
    const item = (signature: string, origin: string) => ({ name: own.name, signature, item: own, origin });
    const published = new Map([
      [pool, { name: "LendingPoolV2", items: [item("function run(uint256 own)", "")], source: "a server" }],
    ]) as unknown as PublishedFacts["published"];
    const items = [item("function run(uint256 given)", "abi.json")];
    const given = { to: "pool", call: run, logs: [held("pool.1")] };
    expect(seen(given, { published, items }).told[0]).toEqual([
      ...["lending_pool", pool, "a server", "called function run(uint256 own) a server"],
    ]);
    expect(seen(given, { items, role: "desk" }).told).toEqual([
      ["desk", pool, "called function run(uint256 given) abi.json"],
      ["module", second, "logged event Held(address args, uint8 count) rules/desk.yaml"],
    ]);
    expect(seen(given, { action: "claim" }).told[0]?.[0]).toBe("distributor");
    expect(seen({ ...given, tokens: { "pool.1": { symbol: "X" } } }).told[1]?.[0]).toBe("token");
  });

  it("keeps what a token said that was called, not what any token said", () => {
    expect(seen({ to: "USDC", call: run, logs: [held("USDC")] }).told).toEqual([
      [
        ...["entry", usdc, "called function run(uint256 size) rules/desk.yaml"],
        "logged event Held(address args, uint8 count) rules/desk.yaml",
      ],
    ]);
    expect(seen({ to: "bob", logs: [held("USDC")] }).told).toEqual([]);
  });

  it("guesses a role by the label, then by the names of what was called and said", () => {
    const exchange = "0x71660c4005ba85c37ccec55d0c4493e66fe775d3";
    expect(seen({ to: exchange, call: run }).told[0]?.slice(0, 3)).toEqual(["coinbase_1", exchange, "Coinbase 1"]);
    const renamed = (name: string, signature: string) => {
      const item = parseSignature(signature);
      return { name, signature, item, origin: "abi.json" };
    };
    const items = [
      renamed("claimAll", "function run(uint256 size)"),
      renamed("BridgeDone", "event Held(address args, uint8 count)"),
    ];
    const roles = seen({ to: "pool", call: run, logs: [held("pool.1")] }, { items }).told.map(([role]) => role);
    expect(roles).toEqual(["distributor", "bridge"]);
  });

  it("does not take an error, or a call that its arguments do not fit, for the function", () => {
    const signature = "error run(uint256 size)";
    const items = [{ name: "run", signature, item: parseSignature(signature), origin: "abi.json" }];
    expect(seen({ to: "pool", call: run }, { items }).told).toEqual([
      ["entry", pool, "called function run(uint256 size) rules/desk.yaml"],
    ]);
    expect(seen({ to: "pool", data: "0xa444f5e9" }).told).toEqual([["entry", pool, "called 0xa444f5e9"]]);
  });
});
