import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { CompiledRule, Gate } from "../../../src/rules/ruleset/compiled.ts";
import type { CompiledUnwrapper } from "../../../src/rules/ruleset/compiled-unwrapper.ts";
import type { Ruleset } from "../../../src/rules/ruleset/ruleset.ts";
import { importDescriptors, type Known } from "../../../src/tools/erc7730/import.ts";
import { tellsCall } from "../../../src/tools/erc7730/known-call.ts";
import { printable } from "../../../src/tools/erc7730/report.ts";
import { bob, usdc } from "../../support/case-of.ts";
import { descriptorOf, noRules, vault, writeFolder } from "./descriptor-folder.ts";

const poke = { "poke()": { intent: "Poke" } };
const deployedAt = (...addresses: string[]) => ({
  context: { contract: { deployments: addresses.map((address) => ({ chainId: 8453, address })) } },
});

describe("a folder of descriptors", () => {
  const imported = (files: Record<string, unknown>, known: Known = noRules) =>
    importDescriptors(writeFolder(files), known);

  it("is read in the order of its paths, folders among the files, down to eight folders", () => {
    const other = (n: number) => descriptorOf(poke, deployedAt(`0x${String(n).repeat(40)}`));
    const deep = (levels: number) => `z/${"d/".repeat(levels - 1)}deep.json`;
    const files = {
      "b.json": other(1),
      "a/x.json": other(2),
      "a.json": other(3),
      "a/b/x.json": other(4),
      "a.txt": "no",
    };
    const made = imported({ ...files, [deep(8)]: other(5), [deep(9)]: other(6) });
    expect(made.files.map(({ slug }) => slug)).toEqual([
      ...["erc7730-x", "erc7730-x-2", "erc7730-a", "erc7730-b", "erc7730-deep"],
    ]);
    expect(made.files.map(({ text }) => /"(0x.)/.exec(text)?.[1])).toEqual(["0x4", "0x2", "0x3", "0x1", "0x5"]);
    expect(made.findings).toEqual([]);
  });

  it("has no links that are followed, and no folders that are taken for files", () => {
    const dir = writeFolder({ "a.json": descriptorOf(poke) });
    symlinkSync(join(dir, "a.json"), join(dir, "b.json"));
    mkdirSync(join(dir, "c.json"));
    const made = importDescriptors(dir, noRules);
    expect([made.files.map(({ slug }) => slug), made.findings]).toEqual([["erc7730-a"], []]);
  });

  it("gives files named after their descriptors, without what says of what kind they are", () => {
    const names = ["calldata-Vault.json", "eip712-vaultTwo.json", "mycalldata-x.json"];
    const made = imported(
      Object.fromEntries(
        names.map((name, i) => [name, descriptorOf(poke, deployedAt(`0x${String(i + 1).repeat(40)}`))]),
      ),
    );
    expect(made.files.map(({ slug }) => slug)).toEqual(["erc7730-vault", "erc7730-vault-two", "erc7730-mycalldata-x"]);
    expect(made.files.map(({ rules }) => rules)).toEqual([4, 4, 4]);
  });

  it("tells a function of a contract once, and none that the project tells", () => {
    const both = descriptorOf({ ...poke, "stop()": { intent: "Stop" } }, deployedAt(usdc, vault));
    const made = imported(
      { "a.json": descriptorOf(poke), "b.json": both },
      { ...noRules, tells: (address) => address === usdc },
    );
    expect(made.files.map(({ slug, rules }) => `${slug} ${rules}`)).toEqual(["erc7730-a 4", "erc7730-b 4"]);
    expect(made.findings).toEqual([
      {
        ...{ file: "b.json", place: "/display/formats/poke()" },
        reason: "a function of a contract that an earlier descriptor tells",
      },
    ]);
    const none = imported({ "a.json": descriptorOf(poke) }, { ...noRules, tells: () => true });
    expect([none.files, none.findings.map(({ reason }) => reason)]).toEqual([
      [],
      ["a function that other rules tell already"],
    ]);
  });

  it("asks the project nothing about messages", () => {
    const message = { context: { eip712: { deployments: [{ chainId: 8453, address: vault }] } } };
    const made = imported(
      { "a.json": descriptorOf({ "Act(bool yes)": { intent: "Act" } }, message) },
      { ...noRules, tells: () => true },
    );
    expect([made.files.map(({ rules }) => rules), made.findings]).toEqual([[1], []]);
  });

  it("reports a mistake that several functions meet once, and what has an include that is read as used", () => {
    const field = { path: "a", $ref: "$.display.definitions.d" };
    const formats = Object.fromEntries(
      ["f", "g"].map((name) => [`${name}(uint8 a)`, { intent: "Do", fields: [field] }]),
    );
    const made = imported({
      "a.json": {
        ...descriptorOf(undefined, { display: { definitions: { d: { label: "\u0007" } }, formats } }),
        includes: "b.json",
      },
      "b.json": {},
    });
    const [first, ...others] = made.findings;
    expect(first).toEqual({
      ...{ file: "a.json", place: "/display/definitions/d/label" },
      reason: "a label that is not short, plain, printable ASCII text",
    });
    expect(others.map(({ file, reason }) => `${file}: ${reason}`)).toEqual(["b.json: no contract"]);
  });

  it("names places as they can be printed", () => {
    const made = imported({ "a.json": { ...descriptorOf(poke), "k\u00e9y": 1 } });
    expect(made.findings).toEqual([{ file: "a.json", place: "/k\\u00e9y", reason: "a key that has no meaning here" }]);
    expect([printable("a\n\u{1f600}"), printable("a".repeat(2_000)), printable("a".repeat(2_001))]).toEqual([
      "a\\u000a\\ud83d\\ude00",
      "a".repeat(2_000),
      `${"a".repeat(2_000)}...`,
    ]);
  });
});

describe("whether rules tell a call already", () => {
  const selector = "0x18178358";
  const [here, there] = [toAddress(vault), bob];
  const set = (...addresses: Address[]) => ({ kind: "set", addresses: new Set(addresses) }) as unknown as Gate;
  const any = { kind: "any" } as Gate;
  const rule = (gate: Gate, more: object = {}) =>
    ({ id: "own/poke", status: "reverted", anchor: { kind: "call", gate }, ...more }) as unknown as CompiledRule;
  const tells = (rules: { bySelector?: CompiledRule[]; byTarget?: CompiledRule[]; unwrapper?: Gate }) =>
    tellsCall(
      {
        bySelector: new Map([[selector, rules.bySelector ?? []]]),
        byTarget: new Map([[here, rules.byTarget ?? []]]),
        unwrappers: new Map(rules.unwrapper && [[selector, [{ gate: rules.unwrapper } as CompiledUnwrapper]]]),
      } as unknown as Ruleset,
      here,
      selector,
    );

  it.each<[boolean, Gate]>([
    [true, any],
    [true, set(here)],
    [false, set(there)],
    [false, { kind: "none" } as unknown as Gate],
    [true, { kind: "either", gates: [set(there), set(here)] } as unknown as Gate],
    [false, { kind: "either", gates: [set(there)] } as unknown as Gate],
  ])("is %s by the gate %#", (expected, gate) => {
    expect([
      tells({ bySelector: [rule(gate)] }),
      tells({ byTarget: [rule(gate)] }),
      tells({ unwrapper: gate }),
    ]).toEqual([...[expected, expected, expected]]);
  });

  it("counts what tells attempts of calls alone, and no descriptors", () => {
    expect(tells({})).toBe(false);
    expect(tells({ bySelector: [rule(any, { status: "success" })] })).toBe(false);
    expect(tells({ bySelector: [rule(any, { id: "erc7730-x/poke" })] })).toBe(false);
    expect(tells({ bySelector: [rule(any, { anchor: { kind: "event", gate: any } })] })).toBe(false);
    expect(tells({ bySelector: [rule(set(there)), rule(any)] })).toBe(true);
  });

  it("counts what yields only where it names the contract", () => {
    expect(tells({ bySelector: [rule(any, { yields: true })] })).toBe(false);
    expect(tells({ bySelector: [rule(set(here), { yields: true })] })).toBe(true);
  });
});
