import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importDescriptors } from "../../src/erc7730/import.ts";
import { sampleAddress } from "../../src/erc7730/rules/example-call.ts";
import { checksum, shorten, toAddress, zeroAddress } from "../../src/kernel/address.ts";
import { alice, bob, calldata, caseOf, usdc } from "../support/case-of.ts";
import { compileOwn, decideBy } from "../support/own-rules.ts";
import { descriptorOf, noRules, vault, writeFolder } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";

const max = (1n << 256n) - 1n;
const metadata = {
  owner: "Acme",
  contractName: "Vault",
  constants: { usdc: checksum(usdc), all: `0x${"f".repeat(63)}e`, ticker: "vUSDC", word: "Everything", third: 3 },
  enums: {
    mode: { "1": "Stable Rate", "2": "variable" },
    right: { True: "Grant all", False: "Deny all" },
    kind: { "0x01020304": "Loan" },
  },
  maps: {
    byChain: { $keyType: "chain", values: { "1": vault, "8453": checksum(usdc) } },
    byVault: { values: { [vault]: checksum(usdc) } },
  },
};

interface Told {
  signature: string;
  format: Record<string, unknown>;
  args?: readonly unknown[];
  value?: bigint;
}

/** What is said of a call that moved nothing. */
function tell({ signature, format, args = [], value = 0n }: Told): string {
  const key = signature.replace(/^function /, "");
  const dir = writeFolder({ "vault.json": descriptorOf({ [key]: { intent: "Do it", ...format } }, { metadata }) });
  const made = importDescriptors(join(dir, "vault.json"), noRules);
  const rules = compileOwn(...made.files.map(({ text }) => text));
  const transaction = { ...caseOf().transaction, to: toAddress(vault), input: calldata(signature, args) };
  const trace = { source: "internal_transfers" as const, provider: "explorer.example", internal_transfers: [] };
  const file = caseOf({ transaction: { ...transaction, value: `0x${value.toString(16)}` }, trace });
  return decideBy(rules, file).explanation.summary;
}

const start = `${shorten(alice)} called ${shorten(toAddress(vault))} to do it`;
const f = (parameters: string) => `function f(${parameters})`;

/** One field with the label Info. */
function told(parameters: string, field: object, args: readonly unknown[]): string {
  return tell({ signature: f(parameters), format: { fields: [{ label: "Info", ...field }] }, args });
}

describe("a field is told", () => {
  const amount = { path: "a", format: "tokenAmount" };
  const plain = (format: string, params?: object) => ({ path: "a", format, params });
  it.each<[string, string, object, unknown[], string]>([
    ["raw integer", "uint256 a", plain("raw"), [1500n], "1,500"],
    ["raw signed integer", "int256 a", plain("raw"), [-5n], "-5"],
    ["raw bool", "bool a", plain("raw"), [true], "true"],
    ["raw bytes", "bytes a", plain("raw"), ["0x1234"], "0x1234"],
    ["no bytes", "bytes a", plain("raw"), ["0x"], "0x"],
    ["a word", "bytes32 a", plain("raw"), [`0x${"ab".repeat(32)}`], `0x${"ab".repeat(32)}`],
    ["more bytes", "bytes a", plain("raw"), [`0x${"ab".repeat(40)}`], "0xabab…abab (40 bytes)"],
    ["calldata", "bytes a", plain("calldata", { callee: vault }), ["0x12345678"], "0x12345678"],
    ["every element", "uint256[] a", { path: "a.[]" }, [[1n, 2n]], "1 and 2"],
    ["a whole array", "uint256[] a", { path: "a" }, [[1n, 2n, 3n, 4n, 5n, 6n]], "1, 2, 3, 4 and 2 more"],
    [
      "a member of every element",
      "(uint256 n,address t)[] a",
      { path: "a.[].n", format: "tokenAmount", params: { tokenPath: "a.[].t" } },
      [
        [
          { n: 5_000_000n, t: usdc },
          { n: 0n, t: usdc },
        ],
      ],
      "5 USDC and 0 USDC",
    ],
    ["an amount of nothing", "uint256 a", { ...amount, params: { token: checksum(usdc) } }, [0n], "0 USDC"],
    ["an amount of no token", "uint256 a", amount, [5n], "5"],
    ["the zero address", "address a", plain("raw"), [zeroAddress], zeroAddress],
    ["an NFT of nothing", "uint256 a", plain("nftName"), [12n], "12"],
    ["a block height", "uint256 a", plain("date", { encoding: "blockheight" }), [1500n], "1500"],
    ["a number of no unit", "uint256 a", plain("unit", { base: " ", decimals: 1 }), [15n], "1.5"],
    ["a unit with a prefix", "uint256 a", plain("unit", { base: "s", prefix: true }), [36_000n], "36,000 s"],
    ["raw string", "string a", plain("raw"), ["gm"], '"gm"'],
    ["raw address", "address a", plain("raw"), [bob], shorten(bob)],
    ["no format", "uint256 a", { path: "#.a" }, [7n], "7"],
    ["amount of ether", "uint256 a", plain("amount"), [10n ** 18n], "1 ETH"],
    ["token by path", "uint256 a,address t", { ...amount, params: { tokenPath: "t" } }, [5_000_000n, usdc], "5 USDC"],
    ["token of its own", "uint256 a", { ...amount, params: { token: checksum(usdc) } }, [5_000_000n], "5 USDC"],
    ["constant", "uint256 a", { ...amount, params: { token: "$.metadata.constants.usdc" } }, [5_000_000n], "5 USDC"],
    [
      "token of a map by chain",
      "uint256 a",
      { ...amount, params: { token: { map: "$.metadata.maps.byChain", keyPath: "@.chainId" } } },
      [5_000_000n],
      "5 USDC",
    ],
    [
      "token of a map by deployment",
      "uint256 a",
      { ...amount, params: { token: { map: "$.metadata.maps.byVault", keyPath: "@.to" } } },
      [5_000_000n],
      "5 USDC",
    ],
    [
      "address that stands for ether",
      "uint256 a",
      { ...amount, params: { token: vault, nativeCurrencyAddress: [vault] } },
      [10n ** 18n],
      "1 ETH",
    ],
    [
      "amount at a threshold",
      "uint256 a",
      { ...amount, params: { token: checksum(usdc), threshold: "$.metadata.constants.all", message: "All" } },
      [max],
      "all USDC",
    ],
    [
      "amount under a threshold",
      "uint256 a",
      { ...amount, params: { token: checksum(usdc), threshold: "0x989680", message: "$.metadata.constants.word" } },
      [5_000_000n],
      "5 USDC",
    ],
    [
      "amount at a threshold without message",
      "uint256 a",
      { ...amount, params: { token: checksum(usdc), threshold: "5000000", chainId: 8453 } },
      [5_000_000n],
      "unlimited USDC",
    ],
    [
      "NFT",
      "uint256 a,address c",
      { ...plain("nftName"), params: { collectionPath: "c" } },
      [12n, bob],
      `NFT #12 of ${shorten(bob)}`,
    ],
    [
      "NFT of a collection",
      "uint256 a",
      { ...plain("nftName"), params: { collection: vault } },
      [12n],
      `NFT #12 of ${shorten(toAddress(vault))}`,
    ],
    [
      "NFT of a constant collection by path",
      "uint256 a",
      { ...plain("nftName"), params: { collectionPath: "$.metadata.constants.usdc" } },
      [12n],
      "USDC #12",
    ],
    ["date", "uint64 a", plain("date", { encoding: "timestamp" }), [1_700_000_000n], "2023-11-14 22:13:20Z"],
    ["duration", "uint256 a", plain("duration"), [8_250n], "2 hours 17 minutes 30 seconds"],
    ["unit", "uint256 a", plain("unit", { base: "d", decimals: 1 }), [15n], "1.5 d"],
    ["percent", "uint256 a", plain("unit", { base: "%", decimals: 4, prefix: false }), [3_000n], "0.3%"],
    ["enum", "uint8 a", plain("enum", { $ref: "$.metadata.enums.mode" }), [1], "stable rate"],
    ["enum of a bool", "bool a", plain("enum", { $ref: "$.metadata.enums.right" }), [false], "deny all"],
    ["enum of bytes", "bytes4 a", plain("enum", { $ref: "$.metadata.enums.kind" }), ["0x01020304"], "loan"],
    ["chain", "uint256 a", plain("chainId"), [1n], "Ethereum"],
    ["address name", "address a", plain("addressName"), [usdc], `USDC (${shorten(usdc)})`],
    ["token ticker", "address a", plain("tokenTicker", { chainId: 8453 }), [usdc], "USDC"],
    ["constant text", "uint256 a", { value: "$.metadata.constants.ticker", format: "raw" }, [0n], "vUSDC"],
    ["constant number by path", "uint256 a", { path: "$.metadata.constants.third" }, [0n], "3"],
    ["constant address", "uint256 a", { value: usdc, format: "addressName" }, [0n], `USDC (${shorten(usdc)})`],
    ["chain of the call", "uint256 a", { path: "@.chainId", format: "chainId" }, [0n], "Base"],
    ["sender", "uint256 a", { path: "@.from", format: "addressName" }, [0n], shorten(alice)],
  ])("%s", (_, parameters, field, args, expected) => {
    expect(told(parameters, field, args)).toBe(`${start}, with info ${expected}.`);
  });
});

describe("what is told of many fields", () => {
  it("passes rule-lint", () => {
    const kinds: [string, object][] = [
      ["uint256[] a", { path: "a.[2]", visible: { mustMatch: [4, 5] } }],
      ["uint256[] a", { path: "a.[-2]", visible: { ifNotIn: [1] } }],
      ["bytes a", { path: "a.[20:23]", format: "unit", params: { base: "bps" } }],
      ["bytes a", { path: "a.[-20:]", format: "addressName" }],
      ["bytes32 a", { path: "a", format: "addressName" }],
      ["uint256 a", { path: "a.[-20:]", format: "tokenTicker" }],
      ["uint256 a", { path: "@.value", format: "amount", visible: { mustMatch: [6] } }],
      ["uint256 a", { path: "@.value", format: "amount", visible: { ifNotIn: ["0", "1"] } }],
      ["uint256 a", { path: "a", visible: { ifNotIn: ["0x1", 2, 3] } }],
      ["address a", { path: "a", format: "addressName", visible: { ifNotIn: [sampleAddress] } }],
      ["bool a", { path: "a", format: "enum", params: { $ref: "$.metadata.enums.right" } }],
      ["bool a", { path: "a", visible: { mustMatch: ["true"] } }],
      ["bytes4 a", { path: "a", format: "enum", params: { $ref: "$.metadata.enums.kind" } }],
      ["string a", { path: "a", visible: { ifNotIn: ["text"] } }],
      ["uint256 a", { path: "a", format: "nftName", params: { collection: vault } }],
      [
        "uint256 a",
        { path: "a", format: "tokenAmount", params: { token: checksum(usdc), threshold: "9", message: "All" } },
      ],
      ["uint256 a", { path: "a", format: "duration" }],
      ["uint256 a", { value: usdc, format: "tokenTicker" }],
    ];
    const formats = kinds.map(([parameters, field], i): [string, object] => [
      `f${i}(${parameters},uint256 z)`,
      {
        intent: "Do it",
        fields: [
          { label: "Info", format: "raw", ...field },
          { path: "z", label: "Also" },
        ],
      },
    ]);
    const dir = writeFolder({ "vault.json": descriptorOf(Object.fromEntries(formats), { metadata }) });
    const made = importDescriptors(dir, noRules);
    expect(made.findings.filter(({ place }) => place.startsWith("/display"))).toEqual([]);
    expect(made.files[0]?.rules).toBeGreaterThan(69);
    expect(lintBeside(made)).toEqual([]);
  }, 60_000);
});

describe("a path reads", () => {
  const packed = `${usdc}000bb8${bob.slice(2)}` as const;
  it.each<[string, string, object, unknown[], string]>([
    ["a member", "(uint256 b,(uint256 c) d) a", { path: "#.a.d.c" }, [{ b: 1n, d: { c: 5n } }], "5"],
    ["an element", "uint256[] a", { path: "a.[2]" }, [[1n, 2n, 3n]], "3"],
    ["an element in short", "uint256[] a", { path: "a[1]" }, [[1n, 2n, 3n]], "2"],
    ["the last but one", "uint256[] a", { path: "a.[-2]" }, [[1n, 2n, 3n]], "2"],
    ["a length", "uint256[] a", { path: "a.length" }, [[1n, 2n, 3n]], "3"],
    ["the first bytes", "bytes a", { path: "a.[:20]", format: "tokenTicker" }, [packed], "USDC"],
    ["the last bytes", "bytes a", { path: "a.[-20:]", format: "addressName" }, [packed], shorten(bob)],
    [
      "bytes between",
      "bytes a",
      { path: "a.[20:23]", format: "unit", params: { base: "%", decimals: 4 } },
      [packed],
      "0.3%",
    ],
    ["bytes counted from the end", "bytes a", { path: "a.[-23:-20]" }, [packed], "3,000"],
    [
      "an address in a number",
      "uint256 a",
      { path: "a.[-20:]", format: "tokenTicker" },
      [(1n << 255n) + BigInt(usdc)],
      "USDC",
    ],
    ["a number that is an address", "uint256 a", { path: "a", format: "tokenTicker" }, [BigInt(usdc)], "USDC"],
    [
      "a part of a number",
      "uint256 a",
      { path: "a.[-4:]", format: "date" },
      [(9n << 128n) + 1_700_000_000n],
      "2023-11-14 22:13:20Z",
    ],
    [
      "an address in a word",
      "bytes32 a",
      { path: "a", format: "addressName" },
      [`0x${"0".repeat(24)}${usdc.slice(2)}`],
      `USDC (${shorten(usdc)})`,
    ],
  ])("%s", (_, parameters, field, args, expected) => {
    expect(told(parameters, { format: "raw", ...field }, args)).toBe(`${start}, with info ${expected}.`);
  });

  it("parameters relative to the group of their field, or to the call", () => {
    const inner = { path: "n", label: "Info", format: "tokenAmount" };
    const group = (tokenPath: string) => ({ fields: [{ path: "o", fields: [{ ...inner, params: { tokenPath } }] }] });
    const call = { signature: f("(address t,uint256 n) o"), args: [{ t: usdc, n: 5_000_000n }] };
    for (const path of ["t", "o.t", "#.o.t"])
      expect(tell({ ...call, format: group(path) })).toBe(`${start}, with info 5 USDC.`);
  });

  it("nothing that is not there: the call is told without it", () => {
    const field = { path: "a.[2]", format: "raw" };
    expect(told("uint256[] a", field, [[1n]])).toBe(`${start}.`);
    expect(told("bytes a", { path: "a.[-20:]", format: "addressName" }, ["0x12"])).toBe(`${start}.`);
    expect(told("uint256 a", { path: "a", format: "enum", params: { $ref: "$.metadata.enums.mode" } }, [9n])).toBe(
      `${start}.`,
    );
    expect(told("string a", { path: "a" }, [""])).toBe(`${start}.`);
  });
});

describe("the rules of visibility", () => {
  const fields = (visible: unknown) => [{ path: "a", label: "Info", format: "raw", visible }];
  const call = (visible: unknown, a: bigint) =>
    tell({ signature: f("uint256 a"), format: { fields: fields(visible) }, args: [a] });

  it("tell a field, or not, by its value", () => {
    expect(call("always", 0n)).toBe(`${start}, with info 0.`);
    expect(call("never", 0n)).toBe(`${start}.`);
    expect(call({ ifNotIn: ["0", 5] }, 4n)).toBe(`${start}, with info 4.`);
    expect(call({ ifNotIn: ["0", 5] }, 5n)).toBe(`${start}.`);
  });

  it.each(["mustMatch", "mustBe"])("keep a descriptor off calls that it is not about (%s)", (rule) => {
    expect(call({ [rule]: ["0x5", "$.metadata.constants.third"] }, 3n)).toBe(`${start}.`);
    expect(call({ [rule]: ["0x5", "$.metadata.constants.third"] }, 4n)).not.toContain("do it");
  });

  it("tell what stands for the sender as the sender", () => {
    const field = { path: "a", format: "addressName", params: { senderAddress: [bob] } };
    expect(told("address a", field, [bob])).toBe(`${start}, with info the sender.`);
    expect(told("address a", field, [alice])).toBe(`${start}, with info ${shorten(alice)}.`);
  });

  it("put first what is required, and leave out what is optional or excluded", () => {
    const three = ["a", "b", "c"].map((path) => ({ path, label: `Of ${path}`, format: "raw" }));
    const call = { signature: f("uint256 a,uint256 b,uint256 c"), args: [1n, 2n, 3n] };
    const say = (format: object) => tell({ ...call, format: { fields: three, ...format } });
    expect(say({})).toBe(`${start}, with of a 1, of b 2 and of c 3.`);
    expect(say({ required: ["#.c"] })).toBe(`${start}, with of c 3, of a 1 and of b 2.`);
    expect(say({ excluded: ["a"] })).toBe(`${start}, with of b 2 and of c 3.`);
    const optional = three.map((field, i) => (i === 0 ? { ...field, visible: "optional" } : field));
    expect(say({ fields: optional })).toBe(`${start}, with of b 2, of c 3 and of a 1.`);
  });

  it("put amounts before addresses, and constants last", () => {
    const fields = [
      { value: "$.metadata.constants.ticker", label: "Ticker", format: "raw" },
      { path: "n", label: "Number", format: "raw" },
      { path: "to", label: "To", format: "addressName" },
      { path: "a", label: "Amount", format: "tokenAmount", params: { token: checksum(usdc) } },
    ];
    const call = { signature: f("uint256 n,address to,uint256 a"), args: [7n, bob, 5_000_000n] };
    expect(tell({ ...call, format: { fields } })).toBe(
      `${start}, with amount 5 USDC, to ${shorten(bob)}, number 7 and ticker vUSDC.`,
    );
  });

  it("leave out one field that cannot be told, and tell the others", () => {
    const fields = [
      { path: "m", label: "Mode", format: "enum", params: { $ref: "$.metadata.enums.mode" } },
      { path: "n", label: "Number", format: "raw" },
    ];
    const call = { signature: f("uint8 m,uint256 n"), format: { fields } };
    expect(tell({ ...call, args: [9, 7n] })).toBe(`${start}, with number 7.`);
  });

  it("count the fields that there is no room for", () => {
    const words = Array.from({ length: 6 }, (_, i) => `bytes32 w${i}`);
    const fields = words.map((_, i) => ({ path: `w${i}`, label: `Word ${i}`, format: "raw" }));
    const args = words.map((_, i) => `0x${`a${i}`.repeat(32)}`);
    expect(tell({ signature: f(words.join(",")), format: { fields }, args })).toMatch(/ and 2 more fields\.$/);
  });
});

describe("an interpolated intent", () => {
  const fields = [
    { path: "a", label: "Amount", format: "tokenAmount", params: { tokenPath: "t" } },
    { path: "to", label: "To", format: "addressName" },
    { path: "n", label: "Not Told", format: "raw" },
  ];
  const signature = f("uint256 a,address t,address to,uint256 n");
  const say = (interpolatedIntent: unknown, args: unknown[] = [5_000_000n, usdc, bob, 9n]) =>
    tell({ signature, format: { fields, interpolatedIntent }, args });

  it("is told with its values instead of intent and fields", () => {
    expect(say("Send {a} to {#.to}.")).toBe(
      `${shorten(alice)} called ${shorten(toAddress(vault))} to send 5 USDC to ${shorten(bob)}, with not told 9.`,
    );
  });

  it("gives way to the intent when a value cannot be told", () => {
    expect(say("Send {a} to {to}", [0n, usdc, bob, 9n])).toBe(
      `${start}, with amount 0 USDC, to ${shorten(bob)} and not told 9.`,
    );
    for (const text of ["Send {gone}", "Send {{a}}", "{a} is sent", "Send <b>{a}</b>", 5])
      expect(say(text)).toBe(`${start}, with amount 5 USDC, to ${shorten(bob)} and not told 9.`);
  });
});
