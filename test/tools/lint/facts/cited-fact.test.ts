import { describe, expect, it } from "vitest";
import { toAddress } from "../../../../src/kernel/address.ts";
import { type CitedFact, listFacts } from "../../../../src/tools/lint/facts/cited-fact.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [a, b, c] = [party("a"), party("b"), party("c")];
const [one, two] = ["ex/one@0123456:A.md", "ex/two@0123456:B.md"];
const upper = a.toUpperCase().replace("0X", "0x");

interface Given {
  file?: string;
  contracts?: object;
  abi?: object;
  abi_source?: unknown;
}

/** The facts that rule files and label files state, among those that were asked for. */
function listed(
  files: readonly Given[],
  labels: Record<string, string> = {},
  wanted = ["x.yaml", ...Object.keys(labels)],
) {
  const loaded = files.map(({ file = "x.yaml", abi_source, ...document }) => ({
    ...{ source: { file }, written: { abi_source }, document },
  }));
  const labelFiles = Object.entries(labels).map(([path, text]) => ({ path, text }));
  return listFacts({ files: loaded } as never, { labels: labelFiles, wanted: new Set(wanted) } as never);
}

const short = ({ role, address, label, sources }: CitedFact) => [role, address, label, sources];

describe("facts of rule files", () => {
  it("are their contracts in order, each with its own sources", () => {
    const pool = [
      { address: upper, label: "One", source: [one, two] },
      { address: b, label: "Two", source: [] },
    ];
    const contracts = { pool, desk: [{ address: c, label: "Desk", source: [two] }] };
    const document = { contracts };
    const plain = { file: "x.yaml", kind: "contract", document };
    expect(listed([{ contracts }])).toEqual([
      { ...plain, role: "pool", address: a, label: "One", sources: [one, two] },
      { ...plain, role: "pool", address: b, label: "Two", sources: [] },
      { ...plain, role: "desk", address: c, label: "Desk", sources: [two] },
    ]);
    expect(listed([{ contracts: { pool: [{ ...pool[0], address: "0x12" }] } }, {}])).toEqual([]);
    expect(listed([{ file: "y.yaml", contracts }])).toEqual([]);
    expect(
      listFacts(
        { files: [{ source: { file: "x.yaml" } }] } as never,
        { labels: [], wanted: new Set(["x.yaml"]) } as never,
      ),
    ).toEqual([]);
  });

  it("are the names of signatures whose publication is cited, each once", () => {
    const abi = {
      Paid: "event Paid(address user)",
      Paid2: "event  Paid(address indexed user)",
      pay: "function pay(uint256 amount)",
      refused: "error Refused()",
      inner: "a function pay2()",
    };
    expect(listed([{ abi, abi_source: one }])).toEqual([
      {
        ...{ file: "x.yaml", kind: "abi", role: "abi", address: null, label: "signatures", sources: [one] },
        words: ["Paid", "pay"],
      },
    ]);
    expect(listed([{ abi_source: [one, two] }]).map(({ sources, words }) => [sources, words])).toEqual([
      [[one, two], []],
    ]);
    expect(listed([{ abi }, { abi, abi_source: [] }])).toEqual([]);
  });
});

describe("facts of label files", () => {
  const head = `schema: any/v1\nsources: { a: "${one}", b: ["${two}", "${one}"] }\n`;
  const facts = (text: string) => listed([], { "labels/x.yaml": `${head}${text}\n` });

  it("are tokens, with what the chain tells of them", () => {
    const token = `{ address: "${upper}", symbol: USDC, decimals: 6, source: b }`;
    expect(facts(`tokens: [${token}, { address: "0x12", symbol: X, decimals: 1, source: a }]`)).toEqual([
      {
        ...{ file: "labels/x.yaml", kind: "token", role: "token", address: a, label: "USDC", symbol: "USDC" },
        ...{ decimals: 6, sources: [two, one] },
      },
    ]);
  });

  it("are names by their category, and roles of several addresses", () => {
    expect(facts(`names: [{ address: "${a}", label: Desk, category: exchange, source: a }]`).map(short)).toEqual([
      ["exchange", a, "Desk", [one]],
    ]);
    const roles = facts(`roles: [{ role: oracle, addresses: ["${b}", "${a}"], source: [a, b, none] }]`);
    expect(roles.map(short)).toEqual([b, a].map((address) => ["role", address, "oracle", [one, two, one]]));
    expect(roles.map(({ kind }) => kind)).toEqual(["role", "role"]);
  });

  it("are tokens by their decimals, in one group or in several", () => {
    const text = `decimals: { 8: { tokens: ["${a}", "${b}"], source: a }, 18: [{ tokens: [], source: a }, { tokens: ["${c}"], source: b }] }`;
    expect(facts(text).map((fact) => [...short(fact), fact.kind, fact.decimals])).toEqual([
      ["decimals", a, "8 decimals", [one], "decimals", 8],
      ["decimals", b, "8 decimals", [one], "decimals", 8],
      ["decimals", c, "18 decimals", [two, one], "decimals", 18],
    ]);
  });

  it("are lists of chains and forms of proxies, about no address", () => {
    expect(
      facts("schemes: { eip155: { source: a } }\nproxies: [{ kind: slot, source: b }, { kind: call, source: [] }]"),
    ).toEqual(
      [
        ["eip155", [one]],
        ["slot", [two, one]],
        ["call", []],
      ].map(([label, sources]) => ({
        file: "labels/x.yaml",
        kind: "list",
        role: "list",
        address: null,
        label,
        sources,
      })),
    );
  });

  it("are none of a file that was not asked for, or that says nothing", () => {
    expect([facts(""), listed([], { "labels/x.yaml": "a: [" })]).toEqual([[], []]);
    const text = `${head}proxies: [{ kind: slot, source: a }]`;
    expect(
      listed([], { "labels/x.yaml": text, "labels/y.yaml": text }, ["labels/y.yaml"]).map(({ file }) => file),
    ).toEqual(["labels/y.yaml"]);
  });
});
