import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settingTable } from "../../src/settings/setting-value.ts";
import { root } from "../support/shared.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const settings = Object.keys(settingTable);

/** This test installs packages, so it runs only where a build may use the network: CONTAINER_STEPS=1. */
const runsSteps = process.env.CONTAINER_STEPS === "1";

describe("the container", () => {
  const steps = read("Dockerfile");

  it("sets what is a setting, and paths that the user of the process may write to", () => {
    const [, given = ""] = /^ENV (.+)$/m.exec(steps) ?? [];
    const values = Object.fromEntries(given.split(" ").map((pair) => pair.split("=") as [string, string]));
    expect(Object.keys(values).filter((name) => name !== "NODE_ENV" && !settings.includes(name))).toEqual([]);
    const rows = Object.entries(settingTable as Record<string, { default: string }>);
    const writable = rows.flatMap(([name, row]) => (row.default.startsWith("data/") ? [name] : []));
    expect([...writable, "DATA_DIR"].filter((name) => !values[name]?.startsWith("/data"))).toEqual([]);
  });

  it("runs files that there are, and keeps the packages for charging", () => {
    const files = [...steps.matchAll(/\b(src\/[\w./-]+\.[jt]s)\b/g)].map(([, path]) => path as string);
    expect(files).toEqual(["src/start/prepare.ts", "src/main.js"]);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const { peerDependencies, devDependencies } = JSON.parse(read("package.json"));
    expect(steps).toContain("npm pkg delete devDependencies workspaces peerDependenciesMeta");
    for (const [name, version] of Object.entries(peerDependencies)) expect(devDependencies[name]).toBe(version);
  });

  it.skipIf(!runsSteps)(
    "answers after the steps of its file in a clean folder (skipped unless CONTAINER_STEPS=1: it installs packages)",
    { timeout: 600_000 },
    () => {
      const said = execFileSync(process.execPath, [join(root, "test/packaging/container-steps.ts")], {
        encoding: "utf8",
      });
      expect(said).toMatch(/\/healthz of the steps' result: 200\n$/);
    },
  );

  it("is composed with settings that there are, and stopped later than it drains", () => {
    const { services } = parse(read("compose.yaml"));
    expect(Object.keys(services.txgloss.environment).filter((name) => !settings.includes(name))).toEqual([]);
    expect(Number.parseInt(services.txgloss.stop_grace_period, 10)).toBeGreaterThan(
      Number(settingTable.DRAIN_S.default),
    );
    expect(Object.keys(services.txgloss.depends_on)).toEqual(["ledger"]);
  });
});
