/** Label files with one mistake each, shared by the tests of what is found and where. */

export const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const weth = "0x4200000000000000000000000000000000000006";
const sources = 'sources: { list: "https://example.org/list" }';

/** A tokens file of given entries. */
export const tokens = (...entries: string[]) =>
  `schema: tokens/v1\n${sources}\ntokens:\n${entries.map((e) => `  - ${e}\n`).join("")}`;
export const names = (...entries: string[]) =>
  `schema: names/v1\n${sources}\nnames:\n${entries.map((e) => `  - ${e}\n`).join("")}`;
export const token = (address: string, symbol: string, rest = "decimals: 6, well_known: true, source: list") =>
  `{ address: ${address}, symbol: ${symbol}, name: A token, ${rest} }`;
export const name = (address: string, label: string) =>
  `{ address: ${address}, label: ${label}, category: bridge, source: list }`;
const chains = (schemes: string) => `schema: chains/v1\n${sources}\nschemes:\n${schemes}`;

const proxies = (...entries: string[]) =>
  `schema: proxies/v1\n${sources}\nproxies:\n${entries.map((e) => `  - { ${e}, source: list }\n`).join("")}`;

/** A chain file of given blocks of lines; what every such file must have is added. */
const chain = (...parts: string[]) => {
  const given = parts.join("");
  const upgrades = "upgrades:\n  - { name: One, activates: 2024-01-01T00:00:00Z, source: list }\n";
  const times = "block_times:\n  - { from_block: 0, at: 2023-01-01T00:00:00Z, ms: 2000, source: list }\n";
  return `schema: chain/v1\n${sources}\n${given.includes("upgrades:") ? "" : upgrades}${given.includes("block_times:") ? "" : times}${given}`;
};
const moment = (text: string) => `upgrades:\n  - { name: One, activates: ${text}, source: list }\n`;
const blockTimes = (...entries: string[]) =>
  `block_times:\n  - { from_block: 0, at: 2023-01-01T00:00:00Z, ms: 2000, source: list }\n${entries.map((e) => `  - { ${e}, source: list }\n`).join("")}`;

/** Mistakes, with the place that must be reported between ⟦ and ⟧; the whole list of codes and messages is compared. */
export const mistakes: [code: string, message: RegExp, text: string, suggest?: string][] = [
  ["LB101", /^the text is not YAML: /, 'schema: ⟦"tokens/v1⟧\n'],
  ["LB101", /^the text is not YAML: /, "schema: tokens/v1\n⟦\t⟧tokens: []\n"],
  ["LB101", /^the key `symbol` is written twice/, tokens(token(`"${usdc}"`, "USDC, ⟦symbol⟧: USDX"))],
  [
    "LB101",
    /^the key `10` is written twice/,
    chains('  eip155:\n    source: list\n    names:\n      10: OP\n      ⟦"10"⟧: OP\n'),
  ],
  ["LB102", /^a second document starts here/, `${tokens()}⟦---⟧\n`.replace("tokens:\n", "tokens: []\n")],
  ["LB102", /^the anchor `&a` is not allowed/, tokens(token(`&a ⟦"${usdc}"⟧`, "USDC"))],
  ["LB102", /^the tag `tag:yaml.org,2002:str` is not allowed/, tokens(token(`"${usdc}"`, "!!str ⟦USDC⟧"))],
  ["LB102", /^merge keys are not allowed/, tokens(token(`"${usdc}"`, "USDC, ⟦<<⟧: {}"))],
  ["LB102", /^the key is not plain text/, `${tokens(token(`"${usdc}"`, "USDC"))}? ⟦[a]⟧\n: 1\n`],
  [
    "LB103",
    /^`0x833589fCD6eDb6E…` is unquoted hex, which YAML reads as a number; quoted text was expected$/,
    tokens(token(`⟦${usdc}⟧`, "USDC")),
    `"${usdc}"`,
  ],
  [
    "LB104",
    /^`9007199254740993` is above 2\^53 - 1/,
    tokens(token(`"${usdc}"`, "⟦9007199254740993⟧")),
    '"9007199254740993"',
  ],
  ["LB105", /^`schema` is "token\/v1"; one of `tokens\/v1`, `names\/v1`/, `schema: ⟦token/v1⟧\n`],
  ["LB105", /^`schema` is missing; one of/, "⟦tokens: []⟧\n"],
  ["LB105", /^`schema` is missing; one of/, "⟦⟧"],
  ["LB105", /^`schema` is 1;/, "schema: ⟦1⟧\n"],
  ["LB106", /^`decimals` is missing$/, tokens(`⟦${token(`"${usdc}"`, "USDC", "well_known: true, source: list")}⟧`)],
  ["LB106", /^`tokens` is missing$/, "⟦schema: tokens/v1⟧\nsources: {}\n"],
  ["LB106", /^`1337` stands here; text was expected$/, tokens(token(`"${usdc}"`, "⟦1337⟧"))],
  ["LB106", /^`true` stands here; text was/, tokens(token(`"${usdc}"`, "⟦true⟧"))],
  ["LB106", /^nothing stands here; text/, tokens(token(`"${usdc}"`, "⟦null⟧"))],
  ["LB106", /^the text has 0 characters; at least 1 were expected/, tokens(token(`"${usdc}"`, '⟦""⟧'))],
  ["LB106", /^a list stands here; text/, tokens(token(`"${usdc}"`, "⟦[A]⟧"))],
  [
    "LB106",
    /^`37` stands here; a number of at most 36 was expected/,
    tokens(token(`"${usdc}"`, "USDC", "decimals: ⟦37⟧, well_known: true, source: list")),
  ],
  [
    "LB106",
    /^`1\.5` stands here; a whole number/,
    tokens(token(`"${usdc}"`, "USDC", "decimals: ⟦1.5⟧, well_known: true, source: list")),
  ],
  [
    "LB106",
    /^`yes` stands here; true or false/,
    tokens(token(`"${usdc}"`, "USDC", "decimals: 6, well_known: ⟦yes⟧, source: list")),
  ],
  [
    "LB106",
    /^`0x1234` stands here; an address of 0x and 40 hex digits was expected/,
    tokens(token('⟦"0x1234"⟧', "USDC")),
  ],
  [
    "LB106",
    /^`whale` stands here; one of account_abstraction, bridge/,
    names(`{ address: "${usdc}", label: A, category: ⟦whale⟧, source: list }`),
  ],
  ["LB106", /^a mapping stands here; a list/, `schema: tokens/v1\nsources: {}\ntokens: ⟦{}⟧\n`],
  [
    "LB106",
    /^`0x10` stands here; a chain's number, or its name/,
    chains("  eip155:\n    source: list\n    names:\n      ⟦'0x10'⟧: OP\n"),
  ],
  ["LB106", /^`Eip155` stands here; a lower-case name/, chains("  ⟦Eip155⟧:\n    source: list\n    names: {}\n")],
  [
    "LB106",
    /^`Weth` stands here; a lower-case name/,
    `schema: system/v1\n${sources}\nroles:\n  - { role: ⟦Weth⟧, addresses: ["${weth}"], source: list }\n`,
  ],
  [
    "LB106",
    /^nothing stands here; at least one entry/,
    `schema: system/v1\n${sources}\nroles:\n  - { role: weth, addresses: ⟦[]⟧, source: list }\n`,
  ],
  ["LB107", /^`decimal` is no known field$/, tokens(token(`"${usdc}"`, "USDC, ⟦decimal⟧: 6")), "decimals"],
  ["LB107", /^`tokenz` is no known field$/, `${tokens(token(`"${usdc}"`, "USDC"))}⟦tokenz⟧: []\n`, "tokens"],
  ["LB108", /is not in EIP-55 form/, tokens(token(`⟦"${usdc.toLowerCase()}"⟧`, "USDC")), usdc],
  ["LB108", /is not in EIP-55 form/, names(name(`⟦"${usdc.replace("fCD", "FCD")}"⟧`, "A")), usdc],
  [
    "LB108",
    /is not in EIP-55 form/,
    `schema: system/v1\n${sources}\nroles:\n  - role: usdc\n    addresses:\n      - "${weth}"\n      - ⟦"${usdc.toLowerCase()}"⟧\n    source: list\n`,
    usdc,
  ],
  [
    "LB108",
    /is not in EIP-55 form/,
    `schema: decimals/v1\n${sources}\ndecimals:\n  6:\n    - source: list\n      tokens:\n        - "${weth}"\n        - ⟦"${usdc.toLowerCase()}"⟧\n`,
    usdc,
  ],
  ["LB109", /it holds U\+0405/, tokens(token(`"${usdc}"`, "U⟦\u0405⟧DC"))],
  ["LB109", /it holds the invisible character U\+202E/, names(name(`"${usdc}"`, "'Coin⟦\u202e⟧base'"))],
  ["LB109", /it holds the invisible character U\+202E/, names(name(`"${usdc}"`, '"Coin⟦\\u202e⟧base"'))],
  ["LB109", /it holds the control character U\+000A/, names(name(`"${usdc}"`, '"Coin⟦\\n⟧base"'))],
  ["LB109", /it ends with a space/, names(name(`"${usdc}"`, '"Coinbase⟦ ⟧"'))],
  ["LB109", /it has 50 characters; at most 48/, names(name(`"${usdc}"`, `${"a".repeat(48)}⟦bb⟧`))],
  ["LB109", /it has 33 characters; at most 32/, tokens(token(`"${usdc}"`, `${"A".repeat(32)}⟦B⟧`))],
  ["LB109", /it holds U\+0395/, chains("  eip155:\n    source: list\n    names:\n      1: ⟦\u0395⟧thereum\n")],
  ["LB110", /is listed twice with different facts/, names(name(`"${usdc}"`, "A"), name(`⟦"${usdc}"⟧`, "B"))],
  [
    "LB110",
    /^The token `0x4200[0-9]+` is listed twice/,
    `schema: decimals/v1\n${sources}\ndecimals:\n  6:\n    source: list\n    tokens:\n      - "${weth}"\n  18:\n    source: list\n    tokens:\n      - ⟦"${weth}"⟧\n`,
  ],
  [
    "LB110",
    /^The token `0x4200[0-9]+` is listed twice/,
    `schema: decimals/v1\n${sources}\ndecimals:\n  6:\n    - source: list\n      tokens: ["${weth}"]\n    - source: [list]\n      tokens: [⟦"${weth}"⟧]\n`,
  ],
  [
    "LB106",
    /^2 entries stand here; at least 3 were expected/,
    proxies("kind: safe").replace("{ kind: safe, source: list }", "⟦{ kind: safe, source: list }⟧"),
  ],
  ["LB106", /^`eip1` stands here; one of eip7702, eip1167/, proxies('kind: ⟦eip1⟧, code: "0x01{target}"')],
  ["LB106", /^`0x01` stands here; code in lower-case hex with \{target\}/, proxies('kind: eip1167, code: ⟦"0x01"⟧')],
  ["LB106", /^`0x01` stands here; a hash of 0x/, proxies('kind: safe, slot: ⟦"0x01"⟧')],
  [
    "LB106",
    /^`slot` is missing/,
    proxies('kind: safe, code: "0x01{target}", shorter_than: 6')
      .replace("{ kind: safe", "⟦{ kind: safe")
      .replace("list }\n", "list }⟧\n"),
  ],
  [
    "LB106",
    /^`facetAddress\(bytes4\)` stands here; a view function/,
    proxies('kind: diamond, asks: ⟦"facetAddress(bytes4)"⟧'),
  ],
  [
    "LB111",
    /^`0x01\{target\}` is listed twice with the same facts/,
    proxies('kind: eip1167, code: "0x01{target}"', 'kind: ⟦eip1167⟧, code: "0x01{target}"'),
  ],
  ["LB111", /is listed twice with the same facts/, names(name(`"${usdc}"`, "A"), name(`⟦"${usdc}"⟧`, "A"))],
  [
    "LB112",
    /^The symbol `usdc` belongs to the well-known token/,
    tokens(token(`"${usdc}"`, "USDC"), token(`"${weth}"`, "⟦usdc⟧")),
  ],
  [
    "LB113",
    /^The symbol `USDC` belongs to the well-known token/,
    tokens(token(`"${weth}"`, "⟦USDC⟧", "decimals: 6, well_known: false, source: list"), token(`"${usdc}"`, "USDC")),
  ],
  [
    "LB114",
    /^The source `lst` is not defined; one of list was expected/,
    tokens(token(`"${weth}"`, "A"), token(`"${usdc}"`, "USDC", "decimals: 6, well_known: true, source: ⟦lst⟧")),
  ],
  [
    "LB114",
    /^The source `lst` is not defined; one of list was expected/,
    tokens(token(`"${usdc}"`, "USDC", "decimals: 6, well_known: true, source: [list, ⟦lst⟧]")),
  ],
  [
    "LB115",
    /^The source `other` is defined, but no entry names it/,
    tokens(token(`"${usdc}"`, "USDC")).replace("{ list:", '{ ⟦other⟧: "https://example.org/o", list:'),
  ],
  [
    "LB116",
    /^The scheme `eip` is not defined/,
    chains("  across:\n    source: list\n    extends: ⟦eip⟧\n    names: {}\n"),
  ],
  [
    "LB116",
    /^The scheme `b` itself extends another/,
    chains(
      "  a:\n    source: list\n    names: {}\n  b:\n    source: list\n    extends: a\n    names: {}\n  c:\n    source: list\n    extends: ⟦b⟧\n    names: {}\n",
    ),
  ],
  [
    "LB117",
    /^The chain `Solano` is in no scheme/,
    `${chains("  a:\n    source: list\n    names: { 1: Solana }\n")}accounts:\n  base58: { chains: [Solana, ⟦Solano⟧], source: list }\n`,
  ],
  ["LB106", /^`2024-01-01` stands here; a moment such as/, chain(moment("⟦2024-01-01⟧"))],
  ["LB106", /^`\.\*` stands here; a regular expression/, chain("predeploys:\n  - { form: ⟦.*⟧, source: list }\n")],
  [
    "LB108",
    /is not in EIP-55 form/,
    chain(`precompiles:\n  - { address: ⟦"${usdc.toLowerCase()}"⟧, name: A, source: list }\n`),
    usdc,
  ],
  [
    "LB108",
    /is not in EIP-55 form/,
    chain(
      `deposits:\n  - { name: A, from: "${usdc}", to: ⟦"${usdc.toLowerCase()}"⟧, selectors: ["0x01020304"], source: list }\n`,
    ),
    usdc,
  ],
  [
    "LB109",
    /it has 50 characters; at most 48/,
    chain(`precompiles:\n  - { address: "${usdc}", name: ${"a".repeat(48)}⟦aa⟧, source: list }\n`),
  ],
  [
    "LB118",
    /^The upgrade `Two` is not listed; one of One was/,
    chain("gas_caps:\n  - { since: ⟦Two⟧, gas: 30000, source: list }\n"),
  ],
  ["LB119", /^The moment `2024-09-31T00:00:00Z` does not exist/, chain(moment("⟦2024-09-31T00:00:00Z⟧"))],
  [
    "LB119",
    /^Block 10 is made before the one before it, of 2023-01-01T00:00:18/,
    chain(blockTimes("from_block: 10, at: ⟦2023-01-01T00:00:17Z⟧, ms: 200")),
  ],
  [
    "LB119",
    /^Block 0 is made before the one before it/,
    chain(blockTimes("from_block: 0, at: ⟦2023-01-02T00:00:00Z⟧, ms: 200")),
  ],
];
