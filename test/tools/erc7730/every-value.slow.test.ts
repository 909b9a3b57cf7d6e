import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Import } from "../../../src/tools/erc7730/import.ts";
import { importOne, reasonsOf, vault } from "./descriptor-folder.ts";
import { key } from "./left-out.ts";
import { lintBeside } from "./lint-beside.ts";

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null;

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
    expect(reasonsOf(made)).toMatchInlineSnapshot(`
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
