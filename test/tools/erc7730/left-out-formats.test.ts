import { describe, expect, it } from "vitest";
import { vault } from "./descriptor-folder.ts";
import { fine, first, type LeftOut, listedOf } from "./left-out.ts";

describe("what no rule can say of a format", () => {
  it.each<LeftOut>([
    [
      "interoperableAddressName",
      { ...fine, path: "data", format: "interoperableAddressName" },
      {},
      `${first}/format: the format interoperableAddressName cannot be expressed: its bytes are told`,
    ],
    [
      "another format",
      { ...fine, format: "percentage" },
      {},
      `${first}/format: a format that ERC-7730 does not have: the value is told as it is`,
    ],
    [
      "another date",
      { ...fine, format: "date", params: { encoding: "lunar" } },
      {},
      `${first}/params/encoding: a date that is no timestamp`,
    ],
    [
      "a strange unit",
      { ...fine, format: "unit", params: { base: "°C" } },
      {},
      `${first}/params/base: a unit that is no short word`,
    ],
    [
      "types of names",
      { ...fine, path: "t", format: "addressName", params: { types: ["eoa"] } },
      {},
      `${first}/params/types: a check of what kind of address it is: wallets make it`,
    ],
    [
      "sources of names",
      { ...fine, path: "t", format: "addressName", params: { sources: ["ens"] } },
      {},
      `${first}/params/sources: sources of names: names come from labels alone`,
    ],
    [
      "two tokens",
      { ...fine, format: "tokenAmount", params: { token: vault, tokenPath: "t" } },
      {},
      `${first}/params/token: a token and the path of another one`,
    ],
    [
      "a token elsewhere",
      { ...fine, format: "tokenAmount", params: { tokenPath: "t", chainId: 1 } },
      {},
      `${first}/params/chainId: a token on another chain: its name and decimals are not known`,
    ],
    [
      "a chain by path",
      { ...fine, format: "tokenAmount", params: { tokenPath: "t", chainIdPath: "x" } },
      {},
      `${first}/params/chainIdPath: a chain that cannot be read`,
    ],
    [
      "another ether",
      { ...fine, format: "tokenAmount", params: { tokenPath: "t", nativeCurrencyAddress: vault, chainIdPath: "n" } },
      {},
      `${first}/params/nativeCurrencyAddress: an address of its own that stands for ether on one chain`,
    ],
    [
      "no threshold",
      { ...fine, format: "tokenAmount", params: { tokenPath: "t", threshold: "much" } },
      {},
      `${first}/params/threshold: a threshold that is no number above zero`,
    ],
    [
      "a long message",
      { ...fine, format: "tokenAmount", params: { tokenPath: "t", threshold: "5", message: "<b>" } },
      {},
      `${first}/params/message: a message that is not short and plain`,
    ],
    [
      "a constant that is not there",
      { ...fine, format: "tokenAmount", params: { token: "$.metadata.constants.x" } },
      {},
      `${first}/params/token: a path to a constant that is not there`,
    ],
    [
      "a map by argument",
      { ...fine, format: "tokenAmount", params: { token: { map: "$.metadata.maps.m", keyPath: "t" } } },
      { metadata: { maps: { m: { values: { a: vault } } } } },
      `${first}/params/token: a map by something else than the chain or the only deployment`,
    ],
    [
      "a map without Base",
      { ...fine, format: "tokenAmount", params: { token: { map: "$.metadata.maps.m", keyPath: "@.chainId" } } },
      { metadata: { maps: { m: { values: { "1": vault } } } } },
      `${first}/params/token: a map without a value for Base`,
    ],
    [
      "two collections",
      { ...fine, format: "nftName", params: { collection: vault, collectionPath: "t" } },
      {},
      `${first}/params/collection: a collection and the path of another one`,
    ],
    [
      "an enum elsewhere",
      { ...fine, format: "enum", params: { $ref: "$.metadata.enums.e" } },
      { metadata: { enums: { e: "https://example.org" } } },
      "/metadata/enums/e: an enumeration elsewhere is not fetched",
    ],
    [
      "an enum that is not there",
      { ...fine, format: "enum", params: { $ref: "$.metadata.enums.e" } },
      {},
      `${first}/params/$ref: an enumeration that is not there`,
    ],
    [
      "a name that is not plain",
      { ...fine, format: "enum", params: { $ref: "$.metadata.enums.e" } },
      { metadata: { enums: { e: { "1": "<b>", "2": "two" } } } },
      "/metadata/enums/e/1: a name that is not short, plain, printable ASCII text",
    ],
  ])("%s", (_, field, more, expected) => {
    expect(listedOf(field, more)).toContain(expected);
  });
});
