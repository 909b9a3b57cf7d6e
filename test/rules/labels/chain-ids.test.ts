import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as listed from "viem/chains";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { labelsDir } from "../../support/labels.ts";

const { schemes } = parse(readFileSync(join(labelsDir, "chains.yaml"), "utf8")) as {
  schemes: Record<string, { names: Record<string, string> }>;
};
const names = Object.entries(schemes.eip155?.names ?? {});

/** What viem calls each chain: the name, and the name under which it is exported. */
const known: ReadonlyMap<number, { id: number; name: string }[]> = Map.groupBy(
  Object.entries(listed).flatMap(([key, { id, name }]) => [
    { id, name },
    { id, name: key },
  ]),
  ({ id }): number => id,
);

/** Renamed by their makers after viem listed them. */
const renamed: ReadonlyMap<string, string> = new Map([["Derive", "Lyra Chain"]]);

function bare(name: string): string {
  return name.toLowerCase().replace(/mainnet|chain|network|[^a-z0-9]/g, "");
}

describe("EIP-155 ids of the labels", () => {
  test("are many", () => {
    expect(names.length).toBeGreaterThan(100);
  });

  test("are all in viem's chain list, under the same name", () => {
    const odd = names.filter(([id, label]) => {
      const ours = bare(renamed.get(label) ?? label);
      const theirs = (known.get(Number(id)) ?? []).map(({ name }) => bare(name));
      return !theirs.some((name) => name.includes(ours) || ours.includes(name));
    });
    expect(odd).toEqual([]);
  });

  test("name no chain twice", () => {
    const labels = names.map(([, label]) => label);
    expect(labels.filter((label, i) => labels.indexOf(label) !== i)).toEqual([]);
  });
});

describe("chains in the schemes of bridges", () => {
  test("have the name that their EIP-155 id has, where they have one", () => {
    const ours = new Set(names.map(([, label]) => label));
    const theirs = new Set(Object.values(schemes).flatMap((scheme) => Object.values(scheme.names)));
    const alike = [...theirs].filter((name) => !ours.has(name) && [...ours].some((one) => bare(one) === bare(name)));
    expect(alike).toEqual([]);
  });
});
