import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../support/shared.ts";

let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "txgloss-install-"));
  cpSync(join(root, "src/start"), join(copy, "src/start"), { recursive: true });
  writeFileSync(join(copy, "package.json"), '{"type":"module"}');
  writeFileSync(join(copy, "package-lock.json"), "{}");
});
afterEach(() => rmSync(copy, { recursive: true }));

/** Runs the copied script with a fake npm that notes its arguments and ends with `status`. */
function install(status = 0) {
  const npm = join(copy, "npm.cjs");
  writeFileSync(
    npm,
    `require("fs").writeFileSync(${JSON.stringify(join(copy, "ran"))}, process.argv.slice(2).join(" "));process.exit(${status})`,
  );
  const script = join(copy, "src/start/install.js");
  const result = spawnSync(process.execPath, [script], {
    encoding: "utf8",
    env: { ...process.env, npm_execpath: npm },
  });
  const ran = existsSync(join(copy, "ran")) ? readFileSync(join(copy, "ran"), "utf8") : undefined;
  return { status: result.status, stderr: result.stderr, stdout: result.stdout, ran };
}

/** Writes the file that npm writes last, this many seconds after the lock file. */
function markInstalled(secondsAfterLock: number): void {
  const lock = 1_700_000_000;
  mkdirSync(join(copy, "node_modules"));
  const mark = join(copy, "node_modules/.package-lock.json");
  writeFileSync(mark, "{}");
  utimesSync(join(copy, "package-lock.json"), lock, lock);
  utimesSync(mark, lock + secondsAfterLock, lock + secondsAfterLock);
}

describe("src/start/install.js", () => {
  it("installs what the lock file says when there is nothing", () => {
    expect(install()).toMatchObject({ status: 0, ran: expect.stringMatching(/^ci\b/), stdout: "" });
  });

  it("installs again when the lock file is newer", () => {
    markInstalled(-1);
    expect(install().ran).toMatch(/^ci\b/);
  });

  it("does nothing, and says nothing, when all is there", () => {
    markInstalled(1);
    expect(install()).toEqual({ status: 0, stderr: "", stdout: "", ran: undefined });
  });

  it("leaves alone what a link leads to, and says so where it is old", () => {
    markInstalled(-1);
    renameSync(join(copy, "node_modules"), join(copy, "elsewhere"));
    symlinkSync(join(copy, "elsewhere"), join(copy, "node_modules"), "dir");
    expect(install()).toMatchObject({ status: 0, ran: undefined, stderr: expect.stringContaining("is a link") });
  });

  it("stops with a reason when npm fails", () => {
    expect(install(7)).toMatchObject({ status: 1, stderr: expect.stringContaining("npm ci failed") });
  });
});
