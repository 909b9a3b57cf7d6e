import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Import, importDescriptors } from "../../src/erc7730/import.ts";
import { descriptorOf, noRules, vault, writeFolder } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";

const key = "act(uint256 a,address t,address to,uint256[] list,bytes data,uint256 n,bytes32 word)";
const act = `/display/formats/${key}`;

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null;

function importOne(descriptor: unknown): Import {
  return importDescriptors(join(writeFolder({ "vault.json": descriptor }), "vault.json"), noRules);
}

function listed(descriptor: unknown): string[] {
  return importOne(descriptor).findings.map(({ place, reason }) => `${place}: ${reason}`);
}

const fine = { path: "a", label: "Info", format: "raw" };

/** What is listed of one field beside a good one. */
function listedOf(field: object, more: object = {}): string[] {
  const { metadata = {}, ...format } = more as { metadata?: object };
  const descriptor = descriptorOf(
    { [key]: { intent: "Act", fields: [field, fine], ...format } },
    { metadata: { owner: "Acme", contractName: "Vault", ...metadata } },
  );
  return listed(descriptor).map((line) => line.replace(act, "@"));
}

const first = "@/fields/0";

/** Every part of ERC-7730 (versions 1 and 2) that no rule can say, where it is listed, and why. What can be said is in told.test.ts. */
const unsupported: [part: string, field: object, more: object, listed: string][] = [
  ["encryption", { ...fine, encryption: { scheme: "fhevm" } }, {}, `${first}/encryption: an encrypted value`],
  ["separator", { ...fine, separator: "{index}" }, {}, `${first}/separator: words between the elements of an array`],
  ["labelKey (draft 3)", { ...fine, labelKey: "a.b" }, {}, `${first}/labelKey: a key that has no meaning here`],
  ["a field without a label", { path: "a", format: "raw" }, {}, `${first}: a field without a label`],
  ["too many fields", fine, { fields: Array(25).fill(fine) }, "@/fields/24: more than 24 fields for one sentence"],
  ["a label of a group", { path: "#", label: "All", fields: [fine] }, {}, `${first}/label: a label for several fields`],
  ["iteration", { iteration: "bundled", fields: [fine] }, {}, `${first}/iteration: the order of arrays`],
  ["a slice of an array", { ...fine, path: "list.[0:2]" }, {}, `${first}: a part of an array`],
  ["an element far away", { ...fine, path: "list.[8]" }, {}, `${first}: an element beyond the 8 that an example has`],
  ["an open slice", { ...fine, path: "data.[4:]" }, {}, `${first}: a slice that is not one number or address`],
  ["an empty slice", { ...fine, path: "data.[-4:0]" }, {}, `${first}: a slice that is not one number or address`],
  ["behind a slice", { ...fine, path: "data.[:4].x" }, {}, `${first}: a path that goes on behind a slice`],
  [
    "interoperableAddressName",
    { ...fine, path: "data", format: "interoperableAddressName" },
    {},
    `${first}/format: the format interoperableAddressName cannot be expressed`,
  ],
  ["another format", { ...fine, format: "percentage" }, {}, `${first}/format: a format that ERC-7730 does not have`],
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
    `${first}/params/chainId: a token on another chain`,
  ],
  [
    "a chain by path",
    { ...fine, format: "tokenAmount", params: { tokenPath: "t", chainIdPath: "n" } },
    {},
    `${first}/params/chainIdPath: a token on a chain that the call names`,
  ],
  [
    "another ether",
    { ...fine, format: "tokenAmount", params: { tokenPath: "t", nativeCurrencyAddress: vault } },
    {},
    `${first}/params/nativeCurrencyAddress: an address of its own that stands for ether`,
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
  [
    "an unknown rule of visibility",
    { ...fine, visible: "sometimes" },
    {},
    `${first}/visible: a rule of visibility that is none`,
  ],
  [
    "a rule on no plain value",
    { ...fine, visible: { ifNotIn: [null] } },
    {},
    `${first}/visible/ifNotIn/0: a constant that is no plain value`,
  ],
  [
    "a rule on a slice",
    { ...fine, path: "data.[:4]", visible: { ifNotIn: [1] } },
    {},
    `${first}/visible: a condition on a value that no example can choose`,
  ],
  [
    "a must on a slice",
    { ...fine, path: "data.[:4]", visible: { mustMatch: [1] } },
    {},
    `${first}/visible: a condition on a value that no example can choose`,
  ],
  ["required of nothing", fine, { required: ["to"] }, "@/required/0: a required field without a format"],
  ["screens (version 1)", fine, { screens: { stax: [] } }, "@/screens: the layout of a wallet's screens"],
  [
    "a value that is not told",
    fine,
    { interpolatedIntent: "Act on {list.[]}" },
    "@/interpolatedIntent: an interpolated value without a field",
  ],
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
];

describe("what no rule can say", () => {
  it.each(unsupported)("%s", (_, field, more, expected) => {
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

  it("reads includes from all of the folder that is imported, and from its own folder when one file is", () => {
    const files = {
      "registry/acme/vault.json": { ...descriptorOf({}), includes: "../../shared/base.json" },
      "shared/base.json": { display: { formats: { "burn()": { intent: "Burn" } } } },
    };
    const dir = writeFolder(files);
    const all = importDescriptors(dir, noRules);
    expect(all.files.map(({ slug }) => slug)).toEqual(["erc7730-vault"]);
    expect(all.findings).toEqual([
      { file: "shared/base.json", place: "", reason: "no contract: a file that others include" },
    ]);
    const one = importDescriptors(join(dir, "registry/acme/vault.json"), noRules);
    expect(one.files).toEqual([]);
    expect(one.findings.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
      "/includes: an include outside of the folder is not read: import the folder that holds both",
      "/display/formats: no functions",
    ]);
  });
});

/** A descriptor with a bit of everything that is told. */
const rich = {
  $schema: "erc7730-v2.schema.json",
  context: { $id: "Vault", contract: { deployments: [{ chainId: 8453, address: vault }] } },
  metadata: {
    owner: "Acme",
    contractName: "Vault",
    info: { url: "https://example.org" },
    constants: { cap: "0x5000", gone: "1", dai: "0x50c5725949a6f0c72e6c4a641f24049a917db0cb" },
    enums: { mode: { "1": "stable", "2": "variable" } },
    maps: { usdc: { values: { "8453": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "1": vault } } },
  },
  display: {
    definitions: { sum: { label: "Sum", format: "tokenAmount", params: { tokenPath: "t", threshold: "5" } } },
    formats: {
      [key]: {
        $id: "act",
        intent: "Act",
        fields: [
          {
            path: "a",
            $ref: "$.display.definitions.sum",
            params: { threshold: "$.metadata.constants.cap", message: "All" },
          },
          { path: "n", label: "Mode", format: "enum", params: { $ref: "$.metadata.enums.mode" } },
          { path: "to", label: "To", format: "addressName", params: { types: ["eoa"] } },
          { path: "list.[0]", label: "Must", format: "raw", visible: { mustMatch: [3] } },
        ],
        required: ["a", "n"],
      },
      "send((address to,uint256 sum) order,uint64 until)": {
        intent: "Send",
        interpolatedIntent: "Send {order.sum} until {until} to {order.to}",
        fields: [
          {
            path: "order",
            fields: [
              {
                path: "sum",
                label: "Sum",
                format: "tokenAmount",
                params: { token: { map: "$.metadata.maps.usdc", keyPath: "@.chainId" } },
                visible: { ifNotIn: [7] },
              },
              { path: "to", label: "To", format: "addressName", params: { senderAddress: "$.metadata.constants.dai" } },
            ],
          },
          { path: "until", label: "Until", format: "date", params: { encoding: "timestamp" } },
        ],
      },
      "wait(uint256 n,uint256 p)": {
        intent: "Wait",
        fields: [
          { path: "n", label: "Time", format: "duration" },
          { path: "p", label: "Part", format: "unit", params: { base: "%", decimals: 2 } },
        ],
      },
    },
  },
} as unknown as Json;

/** Pointers of all values, containers first. */
function pointersOf(value: Json, pointer = ""): string[] {
  if (value === null || typeof value !== "object") return [pointer];
  const inner = Object.entries(value).flatMap(([name, child]) => pointersOf(child, `${pointer}/${escaped(name)}`));
  return [pointer, ...inner];
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A copy in which the value at a pointer is another one. */
function changed(value: Json, pointer: string, change: (value: Json) => Json): Json {
  const copy = structuredClone(value);
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (names.length === 0) return change(copy);
  const last = names.pop() as string;
  const holder = names.reduce<Json>((at, name) => (at as Record<string, Json>)[name] as Json, copy) as Record<
    string,
    Json
  >;
  holder[last] = change(holder[last] as Json);
  return copy;
}

function covers(findings: Import["findings"], pointer: string): boolean {
  return findings.some(({ place }) => pointer === place || pointer.startsWith(`${place}/`));
}

describe("nothing is passed over", () => {
  const made = importOne(rich);

  it("in the descriptor of this test, which is told", () => {
    expect(made.files.map(({ rules }) => rules)).toEqual([13]);
    expect(made.findings.map(({ place, reason }) => `${place}: ${reason}`)).toMatchInlineSnapshot(`
      [
        "/metadata/info: facts about the owner: no sentence tells them",
        "/metadata/constants/gone: defined, but nothing that is told refers to it",
        "/metadata/maps/usdc/values/1: defined, but nothing that is told refers to it",
        "/display/formats/act(uint256 a,address t,address to,uint256[] list,bytes data,uint256 n,bytes32 word)/fields/2/params/types: a check of what kind of address it is: wallets make it",
      ]
    `);
    expect(lintBeside(made)).toEqual([]);
  }, 60_000);

  it("every value changes the rules, or is listed, or is internal", () => {
    const leaves = pointersOf(rich).filter(
      (pointer) => !pointersOf(rich).some((other) => other.startsWith(`${pointer}/`)),
    );
    const silent = leaves.filter((pointer) => {
      if (/\/\$(?:id|schema)$/.test(pointer) || covers(made.findings, pointer)) return false;
      const other = importOne(changed(rich, pointer, (value) => (typeof value === "number" ? value + 1 : `${value}1`)));
      return JSON.stringify(other) === JSON.stringify(made);
    });
    // The sentence tells these values without their labels; the definition's threshold gives way to that of the field.
    expect(silent.map((pointer) => pointer.replace(/.*\(.*\)/, "@"))).toMatchInlineSnapshot(`
      [
        "/display/definitions/sum/params/threshold",
        "@/fields/3/label",
        "@/fields/3/format",
      ]
    `);
  });

  it("every unknown key is listed at its place, wherever it stands", () => {
    const objects = pointersOf(rich).filter((pointer) => {
      const names = pointer
        .split("/")
        .slice(1)
        .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
      const at = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], rich);
      return at !== null && typeof at === "object" && !Array.isArray(at);
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...objects),
        fc.stringMatching(/^[a-z]{9,12}$/),
        fc.constantFrom<Json>(1, "x", null, true, [], {}, [1], { a: { b: 1 } }),
        (pointer, name, value) => {
          const other = changed(rich, pointer, (object) => ({ ...(object as Record<string, Json>), [name]: value }));
          expect(covers(importOne(other).findings, `${pointer}/${name}`)).toBe(true);
        },
      ),
      { numRuns: 250 },
    );
  });
});
