import { describe, expect, test } from "vitest";
import { compileLabels } from "../../../src/rules/labels/load.ts";
import { name, names, token, tokens, usdc, weth } from "./mistakes.ts";

const source = 'sources: { list: "https://example.org/list" }';
const feeds = (...entries: [string, string][]) =>
  `schema: feeds/v1\n${source}\nfeeds:\n${entries.map(([of, feed]) => `  - { token: "${of}", feed: "${feed}", source: list }\n`).join("")}`;
const roles = (...entries: [string, string][]) =>
  `schema: system/v1\n${source}\nroles:\n${entries.map(([role, address]) => `  - { role: ${role}, addresses: ["${address}"], source: list }\n`).join("")}`;
const decimals = (count: number, ...groups: string[]) =>
  `schema: decimals/v1\n${source}\ndecimals:\n  ${count}:\n${groups.map((address) => `    - { source: list, tokens: ["${address}"] }\n`).join("")}`;
const scheme = (names: string) => `schema: chains/v1\n${source}\nschemes:\n  s: { source: list, names: ${names} }\n`;
const proxies = (...entries: string[]) =>
  `schema: proxies/v1\n${source}\nproxies:\n${entries.map((one) => `  - { ${one}, source: list }\n`).join("")}`;
const [lower, slot] = [usdc.toLowerCase(), `0x${"5".repeat(64)}`];
const asks = "function facetAddress(bytes4 selector) view returns (address)";
const known = "decimals: 6, well_known: true, source: list";
const unknown = "decimals: 6, well_known: false, source: list";

/** `file:line:column code message`, with the related places, for files named a, b and so on. */
function told(...texts: string[]): string[] {
  const files = texts.map((text, i) => ({ path: `${"abc"[i]}.yaml`, text }));
  return compileLabels(files, []).diagnostics.map(({ file, range: { start }, code, message, related, suggest }) =>
    [
      `${file}:${start.line}:${start.column} ${code} ${message}`,
      ...(suggest === undefined ? [] : [suggest]),
      ...(related ?? []).map((one) => `${one.file}:${one.range.start.line}:${one.range.start.column} ${one.message}`),
    ].join(" | "),
  );
}

const notEip55 = (text: string, right: string) =>
  `LB108 The address \`${text}\` is not in EIP-55 form; \`${right}\` was expected. | ${right}`;
const twice = (key: string, how: string) => `\`${key}\` is listed twice with ${how} facts; once was expected.`;

describe("what label files say together", () => {
  test.each<[string, string[], string[]]>([
    ["feeds of two tokens", [feeds([usdc, weth], [weth, usdc])], []],
    [
      "feeds in another form",
      [feeds([lower, weth], [weth, lower])],
      [`a.yaml:4:14 ${notEip55(lower, usdc)}`, `a.yaml:5:66 ${notEip55(lower, usdc)}`],
    ],
    [
      "two feeds of one token",
      [feeds([usdc, weth], [usdc, usdc])],
      [`a.yaml:5:14 LB110 ${twice(lower, "different")} | a.yaml:4:14 The first one.`],
    ],
    [
      "one token in two forms",
      [tokens(token(`"${usdc}"`, "USDC"), token(`"${lower}"`, "USDC"))],
      [
        `a.yaml:5:16 ${notEip55(lower, usdc)}`,
        `a.yaml:5:16 LB110 ${twice(lower, "different")} | a.yaml:4:16 The first one.`,
      ],
    ],
    [
      "one name in two forms",
      [names(name(`"${lower}"`, "A"), name(`"${usdc}"`, "A"))],
      [
        `a.yaml:4:16 ${notEip55(lower, usdc)}`,
        `a.yaml:5:16 LB110 ${twice(lower, "different")} | a.yaml:4:16 The first one.`,
      ],
    ],
    [
      "one name three times",
      [names(name(`"${usdc}"`, "A"), name(`"${usdc}"`, "A"), name(`"${usdc}"`, "B"))],
      [
        `a.yaml:5:16 LB111 ${twice(lower, "the same")} | a.yaml:4:16 The first one.`,
        `a.yaml:6:16 LB110 ${twice(lower, "different")} | a.yaml:4:16 The first one.`,
      ],
    ],
    [
      "one role in two files",
      [roles(["weth", weth]), roles(["weth", usdc])],
      [`b.yaml:4:13 LB110 ${twice("weth", "different")} | a.yaml:4:13 The first one.`],
    ],
    [
      "a scheme in two files",
      [scheme("{ 1: One }"), scheme("{ 1: One }")],
      [`b.yaml:4:3 LB111 ${twice("s", "the same")} | a.yaml:4:3 The first one.`],
    ],
    [
      "one slot of two forms of proxies",
      [proxies(`kind: safe, slot: "${slot}"`, `kind: eip1822, slot: "${slot}"`, 'kind: eip1167, code: "0x01{target}"')],
      [`a.yaml:5:13 LB110 ${twice(slot, "different")} | a.yaml:4:13 The first one.`],
    ],
    [
      "one question of two forms of proxies",
      [proxies(`kind: diamond, asks: "${asks}"`, `kind: beacon, asks: "${asks}"`)],
      [`a.yaml:5:13 LB110 ${twice(asks, "different")} | a.yaml:4:13 The first one.`],
    ],
    [
      "decimals of one token twice",
      [decimals(6, usdc, usdc)],
      [`a.yaml:6:32 LB110 The token \`${usdc}\` is listed twice.`],
    ],
    [
      "decimals of a token that is listed",
      [tokens(token(`"${usdc}"`, "USDC")), decimals(6, usdc, weth)],
      [`b.yaml:5:32 LB110 The token \`${usdc}\` is listed twice.`],
    ],
    [
      "decimals of a token in two forms",
      [decimals(6, lower, usdc)],
      [`a.yaml:5:32 ${notEip55(lower, usdc)}`, `a.yaml:6:32 LB110 The token \`${usdc}\` is listed twice.`],
    ],
    [
      "a token that is listed in another form",
      [tokens(token(`"${lower}"`, "USDC")), decimals(6, usdc)],
      [`a.yaml:4:16 ${notEip55(lower, usdc)}`, `b.yaml:5:32 LB110 The token \`${usdc}\` is listed twice.`],
    ],
    ["a symbol that nobody owns", [tokens(token(`"${usdc}"`, "X", unknown), token(`"${weth}"`, "X", unknown))], []],
    [
      "a symbol of its owner, whatever the case",
      [tokens(token(`"${weth}"`, "usdc", unknown), token(`"${usdc}"`, "USDC", known))],
      [
        `a.yaml:4:70 LB113 The symbol \`usdc\` belongs to the well-known token ${usdc}; another symbol was expected. | a.yaml:5:70 The well-known one.`,
      ],
    ],
    [
      "a symbol of two owners",
      [tokens(token(`"${weth}"`, "USDC", known), token(`"${usdc}"`, "USDC", known))],
      [
        `a.yaml:5:70 LB112 The symbol \`USDC\` belongs to the well-known token ${weth}; another symbol was expected. | a.yaml:4:70 The well-known one.`,
      ],
    ],
    [
      "a text that is too long",
      [
        tokens(token(`"${usdc}"`, "S".repeat(32)).replace("A token", "N".repeat(128))),
        tokens(token(`"${weth}"`, "S".repeat(33)).replace("A token", "N".repeat(129))),
      ],
      [
        "b.yaml:4:102 LB109 This text may not be shown: it has 33 characters; at most 32 were expected.",
        "b.yaml:4:239 LB109 This text may not be shown: it has 129 characters; at most 128 were expected.",
      ],
    ],
    [
      "a source that is only defined elsewhere",
      [
        names(name(`"${usdc}"`, "A").replace("list", "far")),
        names(name(`"${weth}"`, "B")).replace("{ list", "{ far: a book, list"),
      ],
      [
        "a.yaml:2:12 LB115 The source `list` is defined, but no entry names it; a use was expected.",
        `a.yaml:4:${"  - { address: ".length + 44 + ", label: A, category: bridge, source: ".length + 1} LB114 The source \`far\` is not defined; one of list was expected.`,
        "b.yaml:2:12 LB115 The source `far` is defined, but no entry names it; a use was expected.",
      ],
    ],
  ])("%s", (_, texts, expected) => {
    expect(told(...texts)).toEqual(expected);
  });

  test("leaves out all decimals of a number where one group has a mistake", () => {
    const text = decimals(6, usdc, "0x12").replace(
      "decimals:\n",
      `decimals:\n  7: { source: list, tokens: ["${weth}"] }\n`,
    );
    const { labels, diagnostics } = compileLabels([{ path: "a.yaml", text }], []);
    expect(diagnostics.map(({ code }) => code)).toEqual(["LB106"]);
    expect([labels.decimals(lower), labels.decimals(weth)]).toEqual([undefined, 7]);
  });
});
