import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { toAddress } from "../../../src/kernel/address.ts";
import { compileLabels, type LabelFile } from "../../../src/rules/labels/load.ts";
import { buildLabels, type LabelFacts } from "../../../src/rules/labels/lookup.ts";
import { labelsDir, labelsOf, nameOf, noChain, tokenOf } from "../../support/labels.ts";

const files: LabelFile[] = readdirSync(labelsDir, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => ({ path: name, text: readFileSync(join(labelsDir, name), "utf8") }));
const shipped = compileLabels(files, []).labels;
const a = "0x00000000000000000000000000000000000000aa";
const slot = `0x${"5".repeat(64)}` as const;
const b = "0x00000000000000000000000000000000000000bb";

describe("order means nothing", () => {
  test("shuffled files, entries and keys of the shipped labels give the same fingerprint and lookups", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const shuffled = shuffle(
          files.map(({ path, text }) => ({ path, text: stringify(shuffleDeep(parse(text), numbers)) })),
          numbers,
        );
        const { labels, diagnostics } = compileLabels(shuffled, []);
        expect(diagnostics).toEqual([]);
        expect(labels.fingerprint).toBe(shipped.fingerprint);
        expect(labels.tokens()).toEqual(shipped.tokens());
        expect(labels.system("create2_deployer")).toEqual(shipped.system("create2_deployer"));
      }),
      { numRuns: 5 },
    );
  });

  test("nor does it where two facts contradict each other", () => {
    const facts: LabelFacts = {
      tokens: [tokenOf(a, "ONE"), tokenOf(a, "TWO"), tokenOf(b, "ONE")],
      names: [nameOf(a, "First"), nameOf(a, "Second")],
      extraNames: [nameOf(b, "Third"), nameOf(b, "Fourth")],
      roles: [
        { role: "r", addresses: [toAddress(b), toAddress(a)] },
        { role: "r", addresses: [toAddress(b)] },
      ],
      schemes: [
        { scheme: "s", names: { "1": "One" } },
        { scheme: "s", names: { "1": "Eins" } },
      ],
      accounts: [
        { form: "base58", chains: ["One", "Two"] },
        { form: "base58", chains: ["Two"] },
      ],
      decimals: [
        { address: toAddress(a), decimals: 6 },
        { address: toAddress(a), decimals: 18 },
      ],
      confusables: {},
      chain: noChain,
      feeds: [
        { token: toAddress(a), feed: toAddress(a) },
        { token: toAddress(a), feed: toAddress(b) },
      ],
      proxies: [
        { kind: "safe", slot },
        { kind: "eip1822", slot },
        { kind: "eip1967", code: "0x01{target}" },
      ],
    };
    const lists = [
      "tokens",
      "names",
      "extraNames",
      "roles",
      "schemes",
      "accounts",
      "decimals",
      "proxies",
      "feeds",
    ] as const;
    const reversed: LabelFacts = {
      ...facts,
      ...Object.fromEntries(lists.map((list) => [list, [...facts[list]].reverse()])),
    };
    const [forward, backward] = [buildLabels(facts), buildLabels(reversed)];
    expect(forward.fingerprint).toBe(backward.fingerprint);
    for (const labels of [forward, backward]) {
      expect(labels.token(a)?.symbol).toBe("ONE");
      expect(labels.name(a)?.label).toBe("First");
      expect(labels.proxies.map(({ kind }) => kind)).toEqual(["eip1967", "eip1822"]);
      expect(labels.decimals(a)).toBe(18);
      expect(labels.feed(a)?.feed).toBe(a < b ? a : b);
      expect(labels.name(b)?.label).toBe("Fourth");
      expect(labels.system("r")).toEqual([a, b]);
      expect(labels.chain("s", "1")).toBe("Eins");
    }
  });
});

describe("names of rules", () => {
  test("are found, and lose against those of the label files", () => {
    const labels = compileLabels(files, [
      nameOf(a, "Pool"),
      nameOf("0x4200000000000000000000000000000000000010", "Bridge"),
    ]).labels;
    expect(labels.name(a)).toEqual({ address: a, label: "Pool", category: "infrastructure" });
    expect(labels.name("0x4200000000000000000000000000000000000010")?.label).toBe("L2StandardBridge");
  });
});

describe("the fingerprint", () => {
  const base = { tokens: [tokenOf(a, "ONE")], schemes: [{ scheme: "s", names: { "1": "One" } }] };

  test("is 64 hex digits", () => {
    expect(shipped.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  test("does not change with a comment or a source", () => {
    const other = files.map(({ path, text }) => ({
      path,
      text: `# note\n${text.replaceAll("smoldapp", "renamed")}`,
    }));
    expect(other.some(({ text }, index) => text.length !== (files[index]?.text.length ?? 0) + 7)).toBe(true);
    expect(compileLabels(other, []).labels.fingerprint).toBe(shipped.fingerprint);
  });

  test.each([
    ["a token's decimals", { ...base, tokens: [tokenOf(a, "ONE", { decimals: 6 })] }],
    ["whether it is well known", { ...base, tokens: [tokenOf(a, "ONE", { wellKnown: true })] }],
    ["a name", { ...base, names: [nameOf(a, "One")] }],
    ["a name of a rule", { ...base, extraNames: [nameOf(a, "One")] }],
    ["a role", { ...base, roles: [{ role: "r", addresses: [toAddress(a)] }] }],
    ["a chain", { ...base, schemes: [{ scheme: "s", names: { "1": "Uno" } }] }],
    ["a form of a proxy", { ...base, proxies: [{ kind: "eip1822" as const, slot }] }],
    ["what a scheme extends", { ...base, schemes: [{ scheme: "s", extends: "t", names: { "1": "One" } }] }],
  ])("changes with %s", (_, facts) => {
    expect(labelsOf(facts).fingerprint).not.toBe(labelsOf(base).fingerprint);
  });
});

function shuffleDeep(value: unknown, numbers: Iterator<number>): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => shuffleDeep(item, numbers));
    return shuffle(items, numbers);
  }
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map(([key, item]) => [key, shuffleDeep(item, numbers)] as const);
  // A Map, because an object would put keys that are numbers back in order.
  return new Map(shuffle(pairs, numbers));
}

function shuffle<T>(items: T[], numbers: Iterator<number>): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = numbers.next().value % (last + 1);
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
  return items;
}
