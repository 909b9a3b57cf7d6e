import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../../support/shared.ts";
import { lintTexts } from "./lint-text.ts";

interface Node {
  $id?: string;
  $ref?: string;
  description?: string;
  enum?: unknown[];
  markdownEnumDescriptions?: string[];
  anyOf?: Node[];
  properties?: Record<string, Node>;
  $defs?: Record<string, Node>;
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Every mapping of a schema with its path. Where `if` and `then` repeat something, editors show it at the first place. */
function nodesOf(node: unknown, path: string[] = []): [string[], Node][] {
  if (node === null || typeof node !== "object") return [];
  const inner = Object.entries(node).filter(([key]) => !["if", "then", "dependentSchemas"].includes(key));
  const own: [string[], Node][] = Array.isArray(node) ? [] : [[path, node as Node]];
  return [...own, ...inner.flatMap(([key, value]) => nodesOf(value, [...path, key]))];
}

/** The core of a rule file, and its parts. */
const parts = ["rule", "values", "messages", "wrappers", "rights", "accounts", "examples", "action-type"];
const schemaOf = (name: string) => JSON.parse(read(`schemas/${name}.schema.json`)) as Node;
const valueDefs = schemaOf("values").$defs as Record<string, Node>;

describe.each([...parts, "label", "actions"])("schemas/%s.schema.json, for editors", (name) => {
  const schema = JSON.parse(read(`schemas/${name}.schema.json`)) as Node;

  it("has an address that a file anywhere can name", () => {
    expect(schema.$id).toBe(`https://unpkg.com/txgloss/schemas/${name}.schema.json`);
  });

  it("says what every field is for", () => {
    const fields = nodesOf(schema).flatMap(([path, { properties }]) =>
      path.at(-1) === "properties"
        ? []
        : Object.entries(properties ?? {}).map(([key, field]) => ({ path: [...path, key], field })),
    );
    if (name === "rule") expect(fields.length).toBeGreaterThan(40);
    expect(
      fields.filter(({ field }) => (field.description ?? "").length < 5).map(({ path }) => path.join("/")),
    ).toEqual([]);
  });

  it("has as many words for values as values", () => {
    const lists = nodesOf(schema).filter(([, node]) => node.markdownEnumDescriptions !== undefined);
    for (const [path, node] of lists)
      expect([path.join("/"), node.markdownEnumDescriptions?.length]).toEqual([path.join("/"), node.enum?.length]);
  });
});

describe("schemas/rule.schema.json beside the tables", () => {
  it("offers the action types of rules/actions.yaml with their definitions", () => {
    const tiers = parse(read("rules/actions.yaml")) as Record<string, Record<string, { definition: string }>>;
    const types = Object.values(tiers).flatMap((tier) => Object.entries(tier));
    const offered = schemaOf("action-type").anyOf?.[0];
    expect(offered?.enum).toEqual(types.map(([id]) => id));
    expect(offered?.markdownEnumDescriptions).toEqual(types.map(([, { definition }]) => definition));
  });

  it("offers the numberings of chains of labels/chains.yaml", () => {
    const { schemes } = parse(read("labels/chains.yaml")) as { schemes: Record<string, unknown> };
    expect(valueDefs.format?.properties?.scheme?.anyOf?.[0]?.enum).toEqual(Object.keys(schemes));
  });

  it.each(parts)("%s has words for each value of a closed list", (part) => {
    const lists = nodesOf(schemaOf(part)).filter(
      ([path, node]) => Array.isArray(node.enum) && !path.includes("scheme"),
    );
    expect(
      lists.filter(([, node]) => node.markdownEnumDescriptions === undefined).map(([path]) => path.join("/")),
    ).toEqual([]);
  });

  it("leaves an action type of another folder to the table of that folder", () => {
    const sound = (parse(read("test/tools/lint/newcomer.yaml")) as { sound: string }).sound;
    const found = lintTexts({ "example-lend": sound.replace("lending_supply", "own_act") });
    expect(found.map(({ code }) => code)).toEqual(["RL204"]);
  });
});
