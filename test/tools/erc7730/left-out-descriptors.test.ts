import { describe, expect, it } from "vitest";
import { formatReport } from "../../../src/tools/erc7730/report.ts";
import { descriptorOf, importFiles, importOne, reasonsOf, vault } from "./descriptor-folder.ts";
import { act, fine, key, type LeftOut, listedOf } from "./left-out.ts";

const listed = (descriptor: unknown) => reasonsOf(importOne(descriptor));

describe("what no rule can say of a descriptor", () => {
  it.each<LeftOut>([
    [
      "metadata.info",
      fine,
      { metadata: { info: { url: "https://example.org" } } },
      "/metadata/info: facts about the owner: no sentence tells them",
    ],
    [
      "metadata.token",
      fine,
      { metadata: { token: { ticker: "X" } } },
      "/metadata/token: facts about the token: the chain and labels tell them",
    ],
    [
      "unused constants",
      fine,
      { metadata: { constants: { x: 1 } } },
      "/metadata/constants: defined, but nothing that is told refers to it",
    ],
  ])("%s", (_, field, more, expected) => {
    expect(listedOf(field, more)).toContain(expected);
  });

  it.each<[string, object, string]>([
    [
      "factory",
      { factory: { deployments: [], deployEvent: "Made(address)" } },
      "/context/contract/factory: contracts of a factory: what it made long ago cannot be shown",
    ],
    ["an ABI elsewhere", { abi: "https://example.org/abi" }, "/context/contract/abi: an ABI elsewhere is not fetched"],
    [
      "address matcher",
      { addressMatcher: "https://example.org" },
      "/context/contract/addressMatcher: an address matcher elsewhere is not asked",
    ],
  ])("%s of a contract", (_, contract, expected) => {
    const deployments = [
      { chainId: 1, address: vault },
      { chainId: 8453, address: vault },
    ];
    const context = { contract: { deployments, ...contract } };
    expect(listed(descriptorOf({ [key]: { intent: "Act", fields: [fine] } }, { context }))).toEqual([
      "/context/contract/deployments: deployments on other chains",
      expected,
    ]);
  });

  it("leaves out a descriptor of messages of no contract, of a later version, or of other chains, and says so once", () => {
    const whole = descriptorOf({ [key]: { intent: "Act" } });
    const messages = { eip712: { domain: { name: "Vault" } } };
    expect(listed({ ...whole, context: messages })).toEqual([
      "/context/eip712: no deployment on chain 8453: the descriptor is left out",
    ]);
    const later = "https://example.org/erc7730-v3.0.0-next.schema.json";
    expect(listed({ ...whole, $schema: later })).toEqual([
      "/$schema: a version of the format that is not known: the descriptor is left out",
    ]);
    for (const version of ["erc7730-v1.schema.json", "../../specs/erc7730-v2.schema.json", "erc7730.schema.json"])
      expect(listed({ ...whole, $schema: version })).toEqual([]);
  });

  it("lists translations", () => {
    const whole = { ...descriptorOf({ [key]: { intent: "Act", intentKey: "x" } }), $i18n: { fr: [] } };
    expect(listed(whole)).toEqual([
      `${act}/intentKey: a key that has no meaning here`,
      "/$i18n: translations: sentences are English",
    ]);
  });
});

describe("what is left out of a folder", () => {
  it("includes other chains, messages and includes from elsewhere", () => {
    const made = importFiles({
      "a-mainnet.json": descriptorOf(
        { "f()": { intent: "Do" } },
        {
          context: { contract: { deployments: [{ chainId: 1, address: vault }] } },
        },
      ),
      "b-message.json": { context: { eip712: {} }, display: { formats: {} } },
      "c-far.json": descriptorOf({}, { includes: "https://example.org/x.json" }),
      "d-up.json": descriptorOf({}, { includes: "../x.json" }),
      "e-gone.json": descriptorOf({}, { includes: "gone.json" }),
      "f-elsewhere-abi.json": descriptorOf(
        {},
        {
          context: { contract: { deployments: [{ chainId: 8453, address: vault }], abi: "https://example.org/abi" } },
        },
      ),
      "sub/g-nothing.json": {},
    });
    expect(made.files).toEqual([]);
    expect(made.findings).toMatchInlineSnapshot(`
      [
        {
          "file": "a-mainnet.json",
          "place": "/context/contract/deployments",
          "reason": "no deployment on chain 8453: the descriptor is left out",
        },
        {
          "file": "b-message.json",
          "place": "/context/eip712",
          "reason": "no deployment on chain 8453: the descriptor is left out",
        },
        {
          "file": "c-far.json",
          "place": "/includes",
          "reason": "an include from elsewhere is not fetched",
        },
        {
          "file": "c-far.json",
          "place": "/display/formats",
          "reason": "no functions",
        },
        {
          "file": "d-up.json",
          "place": "/includes",
          "reason": "an include outside of the folder is not read: import the folder that holds both",
        },
        {
          "file": "d-up.json",
          "place": "/display/formats",
          "reason": "no functions",
        },
        {
          "file": "e-gone.json",
          "place": "/includes",
          "reason": "the included file is not there",
        },
        {
          "file": "e-gone.json",
          "place": "/display/formats",
          "reason": "no functions",
        },
        {
          "file": "f-elsewhere-abi.json",
          "place": "/display/formats",
          "reason": "no functions",
        },
        {
          "file": "f-elsewhere-abi.json",
          "place": "/context/contract/abi",
          "reason": "an ABI elsewhere is not fetched",
        },
        {
          "file": "sub/g-nothing.json",
          "place": "",
          "reason": "no contract",
        },
      ]
    `);
    expect(formatReport(made.findings, { files: 0, rules: 0 })).toContain("0 rules in 0 files; 11 parts left out\n");
  });
});
