import { describe, expect, it } from "vitest";
import { checksum, shorten, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { importDescriptors } from "../../../src/tools/erc7730/import.ts";
import { sampleAddress } from "../../../src/tools/erc7730/rules/example-call.ts";
import { alice, bob, usdc } from "../../support/case-of.ts";
import { descriptorOf, noRules, vault, writeFolder } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";
import { metadata, start, told } from "./told-call.ts";

const max = (1n << 256n) - 1n;

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
    ["a public key", "bytes a", plain("raw"), [`0x${"ab".repeat(48)}`], `0x${"ab".repeat(48)}`],
    ["two words", "bytes a", plain("raw"), [`0x${"ab".repeat(64)}`], `0x${"ab".repeat(64)}`],
    ["more bytes", "bytes a", plain("raw"), [`0x${"ab".repeat(65)}`], "0xabab…abab (65 bytes)"],
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
