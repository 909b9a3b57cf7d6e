import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { findTextProblem } from "../../../src/rules/labels/check.ts";
import { compileLabelFacts, compileLabels, loadLabels, openLabelFile } from "../../../src/rules/labels/load.ts";
import { labelsOf, nameOf, tokenOf } from "../../support/labels.ts";
import { name, names, token, tokens, usdc, weth } from "./mistakes.ts";

const [a, b] = [toAddress(usdc), toAddress(weth)];
const source = 'sources: { list: "https://example.org/list", other: "https://example.org/other" }';
const file = (path: string, text: string) => ({ path, text });

describe("the facts of label files", () => {
  const files = [
    file(
      "labels/a.yaml",
      tokens(
        token(
          `"${usdc}"`,
          "USDC",
          "decimals: 6, well_known: true, allowance_bits: 96, silent_spends: true, versioned: true, source: list",
        ),
        token(`"${weth}"`, "WETH", "decimals: 18, well_known: false, source: list"),
      ),
    ),
    file("labels/b.yaml", names(name(`"${usdc}"`, "A name"))),
    file(
      "labels/c.yaml",
      `schema: chains/v1\n${source}\nschemes:\n  base: { source: list, names: { 1: One, 2: Two } }\n  bridge: { source: [list, other], extends: base, names: { Two: Deux, 2: Zwei } }\naccounts:\n  base58: { chains: [Deux, One], source: list }\n`,
    ),
    file(
      "labels/d.yaml",
      `schema: system/v1\nsources: { list: "https://example.org/list" }\nroles:\n  - { role: weth, addresses: ["${weth}", "${usdc}"], source: list }\n`,
    ),
    file(
      "labels/e.yaml",
      `schema: decimals/v1\nsources: { list: "https://example.org/list" }\ndecimals:\n  8:\n    - { source: list, tokens: ["0x0000000000000000000000000000000000000011"] }\n    - { source: list, tokens: ["0x0000000000000000000000000000000000000012"] }\n  9: { source: list, tokens: ["0x0000000000000000000000000000000000000013"] }\n`,
    ),
    file(
      "labels/f.yaml",
      `schema: feeds/v1\nsources: { list: "https://example.org/list" }\nfeeds:\n  - { token: "${usdc}", feed: "${weth}", source: list }\n  - { token: "${weth}", feed: "${usdc}", stale_after: 90000, source: list }\n`,
    ),
    file(
      "labels/g.yaml",
      `schema: proxies/v1\nsources: { list: "https://example.org/list" }\nproxies:\n  - { kind: eip1167, code: "0x01{target}", source: list }\n`,
    ),
    file(
      "labels/h.yaml",
      `schema: chain/v1\nsources: { list: "https://example.org/list" }
upgrades:\n  - { name: One, activates: 2024-01-01T00:00:00Z, source: list }
block_times:\n  - { from_block: 5, at: 2023-01-01T00:00:00Z, ms: 2000, source: list }
gas_caps:\n  - { since: One, gas: 30000, source: list }
deposits:\n  - { name: A, from: "${usdc}", to: "${weth}", selectors: ["0x05060708", "0x01020304"], since: One, source: list }
predeploys:\n  - { form: "^0x42[0-9a-f]{38}$", source: list }
precompiles:\n  - { address: "${usdc}", name: P, source: list }\n`,
    ),
  ];

  test("are what they say, without their sources", () => {
    const { facts, diagnostics } = compileLabelFacts(files);
    expect(diagnostics).toEqual([]);
    const { confusables, ...rest } = facts;
    expect(rest).toEqual({
      tokens: [
        {
          ...{ address: a, symbol: "USDC", name: "A token", decimals: 6, wellKnown: true },
          ...{ allowanceBits: 96, silentSpends: true, versioned: true },
        },
        { address: b, symbol: "WETH", name: "A token", decimals: 18, wellKnown: false },
      ],
      names: [{ address: a, label: "A name", category: "bridge" }],
      roles: [{ role: "weth", addresses: [b, a] }],
      schemes: [
        { scheme: "base", names: { "1": "One", "2": "Two" } },
        { scheme: "bridge", extends: "base", names: { Two: "Deux", "2": "Zwei" } },
      ],
      accounts: [{ form: "base58", chains: ["Deux", "One"] }],
      decimals: [
        { address: "0x0000000000000000000000000000000000000011", decimals: 8 },
        { address: "0x0000000000000000000000000000000000000012", decimals: 8 },
        { address: "0x0000000000000000000000000000000000000013", decimals: 9 },
      ],
      proxies: [{ kind: "eip1167", code: "0x01{target}" }],
      feeds: [
        { token: a, feed: b },
        { token: b, feed: a, staleAfter: 90_000 },
      ],
      chain: {
        upgrades: [{ name: "One", activates: 1704067200 }],
        blockTimes: [{ fromBlock: 5, at: 1672531200, ms: 2000 }],
        gasCaps: [{ since: "One", gas: 30000 }],
        deposits: [{ name: "A", from: a, to: b, selectors: ["0x01020304", "0x05060708"], since: "One" }],
        predeploys: [{ form: "^0x42[0-9a-f]{38}$" }],
        precompiles: [{ address: a, name: "P" }],
      },
    });
    expect(Object.keys(confusables).length).toBeGreaterThan(100);
  });

  test("are found by address, role, scheme and token", () => {
    const { labels } = compileLabels(files, []);
    expect([labels.token(a)?.symbol, labels.token(usdc), labels.name(a)?.label, labels.name(b)]).toEqual([
      ...["USDC", undefined, "A name", undefined],
    ]);
    expect([labels.feed(a)?.feed, labels.feed(b)?.staleAfter, labels.feed("0x")]).toEqual([b, 90_000, undefined]);
    expect([labels.system("weth"), labels.system("none")]).toEqual([[b, a], []]);
    const chains = ["base 1", "base 2", "bridge 1", "bridge 2", "bridge TWO", "bridge two", "base two", "none 1"];
    expect(chains.map((one) => labels.chain(...(one.split(" ") as [string, string])))).toEqual([
      ...["One", "Two", "One", "Zwei", "Deux", "Deux", undefined, undefined],
    ]);
    expect(["One", "Deux", "Zwei", ""].map(labels.accountForm)).toEqual(["base58", "base58", undefined, undefined]);
    expect(labels.tokens().map(({ symbol }) => symbol)).toEqual(["WETH", "USDC"]);
    expect([labels.decimals("0x0000000000000000000000000000000000000013"), labels.decimals(a)]).toEqual([9, undefined]);
  });

  test("that were checked before are taken as they are", () => {
    const value = {
      schema: "names/v1",
      sources: {},
      names: [{ address: a, label: " bad ", category: "x", source: [] }],
    };
    const document = openLabelFile({ path: "x.yaml", text: "", value });
    expect([document.checked, document.value]).toEqual([true, value]);
    expect(openLabelFile({ path: "x.yaml", text: "a: 1\n" })).toMatchObject({ value: { a: 1 } });
    expect(openLabelFile({ path: "x.yaml", text: "a: 1\n" }).checked).toBeUndefined();
    const lower = { ...value, names: [{ address: usdc.toLowerCase(), label: "Good", category: "x", source: [] }] };
    const { labels, diagnostics } = compileLabels([{ path: "x.yaml", text: "", value: lower }], []);
    expect([labels.name(a)?.label, diagnostics]).toEqual(["Good", []]);
  });

  test("are those of the smaller text where two say something of one thing", () => {
    const labels = labelsOf({
      tokens: [tokenOf(a, "B"), tokenOf(a, "A")],
      names: [nameOf(a, "own")],
      extraNames: [nameOf(a, "Rule's"), nameOf(b, "Rule's")],
      schemes: [{ scheme: "s", extends: "nowhere", names: { "1": "One" } }],
    });
    expect([labels.token(a)?.symbol, labels.name(a)?.label, labels.name(b)?.label, labels.chain("s", "1")]).toEqual([
      ...["A", "own", "Rule's", "One"],
    ]);
  });
});

describe("forms of proxies", () => {
  const [slot, other] = [`0x${"5".repeat(64)}`, `0x${"6".repeat(64)}`] as const;
  const asks = "function get(bytes4 id) view returns (address)";

  test("are apart by their code, else by their slot, else by what they ask", () => {
    const proxies = [
      { kind: "eip7702", code: "0x01{target}" },
      { kind: "eip1167", code: "0x02{target}", slot },
      { kind: "eip1967", slot },
      { kind: "eip1822", slot: other, asks },
      { kind: "diamond", asks },
    ] as const;
    expect(labelsOf({ proxies: [...proxies].reverse() }).proxies).toEqual(proxies);
    expect(labelsOf({ proxies: [] }).proxies).toEqual([]);
  });

  test("stand in the order in which they are looked for, those of a kind by code, slot or question", () => {
    const proxies = [
      { kind: "eip1167", code: "0x01{target}" },
      { kind: "eip1167", code: "0x02{target}" },
      { kind: "eip1967", slot },
      { kind: "eip1967", slot: other },
      { kind: "diamond", code: "0x00{target}" },
    ] as const;
    for (const given of [proxies, [...proxies].reverse()])
      expect(labelsOf({ proxies: given }).proxies).toEqual(proxies);
  });
});

describe("a folder of labels that was read before", () => {
  let dir: string;
  let cache: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "txgloss-labels-"));
    cache = join(dir, "cache");
    mkdirSync(join(dir, "labels"));
    writeFileSync(join(dir, "labels", "a.yaml"), names(name(`"${usdc}"`, "A name")));
    writeFileSync(join(dir, "labels", "b.yml"), tokens(token(`"${usdc}"`, "USDC")));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const load = (...folders: string[]) => loadLabels([join(dir, "labels"), ...folders], [], cache);
  const keptFile = () => join(cache, readdirSync(cache)[0] as string);

  test("is not parsed again", () => {
    const first = load();
    expect(first.diagnostics).toEqual([]);
    const kept = JSON.parse(readFileSync(keptFile(), "utf8"));
    expect(Object.keys(kept).sort()).toEqual([
      ...["accounts", "chain", "decimals", "feeds", "names"],
      ...["proxies", "roles", "schemes", "tokens"],
    ]);
    expect(load().labels.fingerprint).toBe(first.labels.fingerprint);
    writeFileSync(keptFile(), JSON.stringify({ ...kept, names: [{ ...kept.names[0], label: "As it was kept" }] }));
    expect(load().labels.name(a)?.label).toBe("As it was kept");
    expect(loadLabels(join(dir, "labels"), []).labels.name(a)?.label).toBe("A name");
  });

  test("is read anew where a file says something else, or has another name", () => {
    load();
    writeFileSync(join(dir, "labels", "a.yaml"), names(name(`"${usdc}"`, "Another name")));
    expect(load().labels.name(a)?.label).toBe("Another name");
    rmSync(join(dir, "labels", "b.yml"));
    expect(load().labels.token(a)).toBeUndefined();
    expect(readdirSync(cache)).toHaveLength(3);
  });

  test("is read anew where what was kept lacks something", () => {
    load();
    const kept = JSON.parse(readFileSync(keptFile(), "utf8"));
    for (const part of Object.keys(kept)) {
      const names = [{ ...kept.names[0], label: "As it was kept" }];
      writeFileSync(keptFile(), JSON.stringify({ ...kept, names, [part]: undefined }));
      expect([part, load().labels.name(a)?.label]).toEqual([part, "A name"]);
    }
  });

  test("is not kept where it has a mistake, or lies beside a folder that has one", () => {
    writeFileSync(join(dir, "labels", "c.yaml"), names(name(`"${weth}"`, '"B "')));
    expect(load().diagnostics.map(({ code }) => code)).toEqual(["LB109"]);
    expect(existsSync(cache)).toBe(false);
    expect(load(join(dir, "none")).diagnostics.map(({ code }) => code)).toEqual(["LB109", "LB100"]);
    expect(existsSync(cache)).toBe(false);
    rmSync(join(dir, "labels", "c.yaml"));
    expect(load(join(dir, "none")).diagnostics.map(({ code, help }) => [code, help?.slice(0, 6)])).toEqual([
      ["LB100", "ENOENT"],
    ]);
    expect(existsSync(cache)).toBe(false);
    load();
    expect(existsSync(cache)).toBe(true);
  });
});

describe("text of labels", () => {
  test.each<[string, number, [number, number, string] | undefined]>([
    ["₮€~ ok", 10, undefined],
    ["abcde", 5, undefined],
    ["abcdef", 5, [5, 1, "it has 6 characters; at most 5 were expected"]],
    [
      "\u{1F600}",
      5,
      [0, 2, "it holds U+1F600, which can be mistaken for another character; printable ASCII was expected"],
    ],
    ["a\u007f", 5, [1, 1, "it holds the control character U+007F; printable ASCII was expected"]],
    ["a\u2029", 5, [1, 1, "it holds the invisible character U+2029; printable ASCII was expected"]],
    ["", 5, [0, 0, "it is blank; text was expected"]],
    ["  a", 5, [0, 1, "it starts with a space; none was expected"]],
    ["a  ", 5, [2, 1, "it has two spaces in a row; one was expected"]],
    ["a ", 1, [1, 1, "it ends with a space; none was expected"]],
    ...[..."<>`{}[]|\\"].map((sign): [string, number, [number, number, string]] => [
      `a${sign}`,
      5,
      [1, 1, `it holds the markup character \`${sign}\`; none was expected`],
    ]),
  ])("%j of at most %i characters", (text, most, expected) => {
    const problem = findTextProblem(text, most);
    expect(problem && [problem.index, problem.length, problem.message]).toEqual(expected);
  });
});
