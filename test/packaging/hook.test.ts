import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../support/shared.ts";

const json = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const [hook] = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"));

describe("the hook for pre-commit", () => {
  it("brings the Node.js that a checkout brings, by its exact version", () => {
    const { optionalDependencies } = json("src/serve/start/node/package.json");
    expect(hook).toMatchObject({ language: "node", language_version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect([...new Set(Object.values(optionalDependencies))]).toEqual([hook.language_version]);
  });

  it("starts a program of the package", () => {
    expect(Object.keys(json("package.json").bin)).toContain(hook.entry.split(" ")[0]);
  });

  it("compiles nothing: neither the package nor what it needs builds itself when it is installed", () => {
    const { scripts } = json("package.json");
    for (const name of ["preinstall", "install", "postinstall", "prepare"]) expect(scripts).not.toHaveProperty(name);
    const packages = Object.entries<{ dev?: boolean; hasInstallScript?: boolean }>(json("package-lock.json").packages);
    const building = packages.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev).map(([name]) => name);
    // It only counts installations, and package.json turns that off.
    expect(building).toEqual(["node_modules/@scarf/scarf"]);
    expect(json("package.json").scarfSettings).toEqual({ enabled: false });
  });
});
