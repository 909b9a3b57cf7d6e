import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../support/shared.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-node-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** Runs a command on this Node.js, which claims to be another version. */
function runAs(version: string, command: string, place = root) {
  const stated = join(dir, "stated.mjs");
  writeFileSync(
    stated,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
  );
  const args = ["--import", stated, join(place, `bin/${command}.js`), "--version"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stdout, stderr };
}

const { engines, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe.each(["txgloss", "rule-lint"])("%s", (command) => {
  it.each(["16.20.2", "20.20.2", "22.17.1"])("says which Node.js it needs where Node.js is %s", (old) => {
    expect(runAs(old, command)).toEqual({
      status: 2,
      stdout: "",
      stderr: `txgloss needs Node.js 22.18 or newer; this is Node.js ${old} (node_too_old).\n`,
    });
  });

  it.each(["22.18.0", "24.0.0", "100.1.0"])("runs where Node.js is %s", (enough) => {
    expect(runAs(enough, command)).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });
});

it("states the version that package.json states", () => {
  expect(engines.node).toBe(">=22.18");
});

it("loads nothing of the program on an older one", () => {
  cpSync(join(root, "bin"), join(dir, "bin"), { recursive: true });
  cpSync(join(root, "package.json"), join(dir, "package.json"));
  mkdirSync(join(dir, "dist/tools/cli"), { recursive: true });
  writeFileSync(join(dir, "dist/tools/cli/txgloss.js"), 'console.log("loaded");');
  expect(runAs("20.20.2", "txgloss", dir)).toMatchObject({ status: 2, stdout: "" });
  expect(runAs("24.0.0", "txgloss", dir)).toMatchObject({ status: 0, stdout: "loaded\n" });
});
