import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../support/shared.ts";

const pinned = `node-${process.platform}-${process.arch}`;
/** What the lock file of the copy asks for: of each kind one package. */
const packages = {
  "": {},
  "node_modules/served": { version: "1.0.0" },
  "node_modules/tested": { version: "1.0.0", dev: true },
  "node_modules/elsewhere": { version: "1.0.0", optional: true, os: ["none"] },
  "node_modules/linked": { link: true },
  [`node_modules/${pinned}`]: { version: "1.0.0", optional: true, os: [process.platform], cpu: [process.arch] },
};

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "txgloss-install-"));
  cpSync(join(root, "src/serve/start"), join(copy, "src/serve/start"), { recursive: true });
  rmSync(join(copy, "src/serve/start/prepare.ts"));
  mkdirSync(join(copy, "test/platform"), { recursive: true });
  for (const place of ["", "test/platform"]) writeFileSync(join(copy, place, "package.json"), '{"type":"module"}');
  writeFileSync(join(copy, "package-lock.json"), JSON.stringify({ packages }));
});
afterEach(() => rmSync(copy, { recursive: true }));

const list = () => join(copy, "node_modules/.package-lock.json");
const leftovers = () => readdirSync(copy).filter((name) => name.startsWith(".install-"));

/** An npm that installs all of `packages` but what it is told to omit; `more` is code that runs inside. */
function fakeNpm({ before = "", half = "", after = "" } = {}): string {
  const path = join(copy, "npm.cjs");
  writeFileSync(
    path,
    `const fs = require("fs"), args = process.argv.slice(2);
    const end = () => { process.kill(process.ppid, "SIGKILL"); process.exit(1); };
    fs.writeFileSync(${JSON.stringify(join(copy, "ran.json"))}, JSON.stringify({ args, env: process.env, cwd: process.cwd() }));
    ${before}
    const all = JSON.parse(fs.readFileSync("package-lock.json", "utf8")).packages;
    const chosen = Object.fromEntries(Object.entries(all).filter(([, p]) => !p.link && p.os?.[0] !== "none" && !(p.dev && args.includes("--omit=dev"))));
    fs.mkdirSync("node_modules/.bin", { recursive: true });
    fs.mkdirSync("node_modules/${pinned}/include/node", { recursive: true });
    ${half}
    fs.symlinkSync(process.execPath, "node_modules/.bin/node");
    fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: chosen }));
    ${after}`,
  );
  return path;
}

/** Runs the copied script. `npm` null: the one of the PATH. */
function install({
  args = [] as string[],
  npm = fakeNpm() as string | null,
  env = {} as NodeJS.ProcessEnv,
  options = [] as string[],
} = {}) {
  rmSync(join(copy, "ran.json"), { force: true });
  const { npm_execpath: _own, ...rest } = process.env;
  const result = spawnSync(process.execPath, [...options, join(copy, "src/serve/start/install.js"), ...args], {
    encoding: "utf8",
    env: { ...rest, ...(npm === null ? {} : { npm_execpath: npm }), ...env },
  });
  const ran = existsSync(join(copy, "ran.json")) ? JSON.parse(readFileSync(join(copy, "ran.json"), "utf8")) : undefined;
  return { status: result.status, signal: result.signal, stderr: result.stderr, stdout: result.stdout, ran };
}

describe("npm start", () => {
  it("installs what serving needs, without scripts, beside node_modules, and removes the C headers of Node.js", () => {
    const { status, stdout, ran } = install();
    expect([status, stdout]).toEqual([0, ""]);
    expect(ran.args).toEqual(expect.arrayContaining(["ci", "--omit=dev", "--ignore-scripts"]));
    expect(ran.cwd).toMatch(/\.install-\d+$/);
    expect(Object.keys(JSON.parse(readFileSync(list(), "utf8")).packages)).not.toContain("node_modules/tested");
    expect(existsSync(join(copy, `node_modules/${pinned}/include`))).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it("asks nobody when nothing is missing", () => {
    install();
    expect(install()).toEqual({ status: 0, signal: null, stderr: "", stdout: "", ran: undefined });
    expect(install({ args: ["all"] }).ran.args).toContain("--include=dev");
    expect(install({ args: ["all"] }).ran).toBeUndefined();
    expect(install().ran).toBeUndefined();
  });

  it("hands npm no secret, and a proxy as its own setting", () => {
    const env = {
      X402_FACILITATOR_KEY: "0xkey",
      DATABASE_URL: "postgres://x",
      NODE_OPTIONS: "",
      NODE_ENV: "production",
    };
    const { ran } = install({ env: { ...env, HTTPS_PROXY: "http://proxy:1", npm_config_registry: "http://registry" } });
    const strange = Object.keys(ran.env).filter((name) => !/^(PATH|HOME|npm_.*|__.*)$/.test(name));
    expect(strange).toEqual([]);
    expect(ran.env).toMatchObject({ npm_config_https_proxy: "http://proxy:1", npm_config_registry: "http://registry" });
  });

  it("installs again when the lock file names another version, and keeps what is there when that fails", () => {
    install();
    const newer = { ...packages, "node_modules/served": { version: "2.0.0" } };
    writeFileSync(join(copy, "package-lock.json"), JSON.stringify({ packages: newer }));
    const kept = readFileSync(list(), "utf8");
    expect(install({ npm: fakeNpm({ before: "process.exit(1);" }) }).status).toBe(1);
    expect([readFileSync(list(), "utf8"), leftovers()]).toEqual([kept, []]);
    expect(install().ran).toBeDefined();
    expect(JSON.parse(readFileSync(list(), "utf8")).packages["node_modules/served"].version).toBe("2.0.0");
  });

  it("leaves alone what a link leads to, and says so", () => {
    mkdirSync(join(copy, "other"));
    symlinkSync(join(copy, "other"), join(copy, "node_modules"));
    const { status, ran, stderr } = install();
    expect([status, ran, stderr]).toEqual([0, undefined, expect.stringContaining("node_modules is a link")]);
  });
});

describe("a start that is killed", () => {
  const hook = (name: string, nth: number, when: "before" | "after") => {
    const path = join(copy, "hook.mjs");
    const end = 'process.kill(process.pid, "SIGKILL");';
    writeFileSync(
      path,
      `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      const real = fs.${name}; let count = 0;
      fs.${name} = (...args) => {
        const mine = ++count === ${nth};
        if (mine && ${when === "before"}) ${end}
        const result = real(...args);
        if (mine && ${when === "after"}) ${end}
        return result;
      };
      syncBuiltinESMExports();`,
    );
    return { options: ["--import", path] };
  };
  type Moment = [string, () => Parameters<typeof install>[0]];
  const early: Moment[] = [
    ["before the folder is made", () => hook("mkdirSync", 1, "before")],
    ["after the folder is made", () => hook("mkdirSync", 1, "after")],
    ["when npm begins", () => ({ npm: fakeNpm({ before: "end();" }) })],
    ["when npm is halfway", () => ({ npm: fakeNpm({ half: "end();" }) })],
    ["when npm has ended", () => ({ npm: fakeNpm({ after: "end();" }) })],
    ["before the old folder goes", () => hook("renameSync", 1, "before")],
  ];
  const late: Moment[] = [
    ["before the new folder takes its place", () => hook("renameSync", 1, "after")],
    ["when the new folder has taken its place", () => hook("renameSync", 2, "after")],
    ["before the rest is removed", () => hook("rmSync", 2, "before")],
    [
      "while rules are parsed",
      () => {
        writeFileSync(join(copy, "src/serve/start/prepare.ts"), 'process.kill(process.ppid, "SIGKILL");');
        return {};
      },
    ],
  ];

  it.each(early)("%s leaves what was there, and the next one installs", (_moment, setup) => {
    mkdirSync(dirname(list()));
    writeFileSync(list(), "{}");
    expect(install(setup()).signal).toBe("SIGKILL");
    expect(readFileSync(list(), "utf8")).toBe("{}");
    expect(install()).toMatchObject({ status: 0, signal: null });
    expect([Object.keys(JSON.parse(readFileSync(list(), "utf8")).packages), leftovers()]).toEqual([
      expect.arrayContaining(["node_modules/served"]),
      [],
    ]);
  });

  it.each(late)("%s has installed all: the next one needs no network", (_moment, setup) => {
    mkdirSync(dirname(list()));
    writeFileSync(list(), '{"packages":{}}');
    expect(install(setup()).signal).toBe("SIGKILL");
    expect(install({ npm: fakeNpm({ before: "process.exit(1);" }) })).toMatchObject({ status: 0, ran: undefined });
    expect([Object.keys(JSON.parse(readFileSync(list(), "utf8")).packages), leftovers()]).toEqual([
      expect.arrayContaining(["node_modules/served"]),
      [],
    ]);
  });
});

describe("an install that cannot be", () => {
  const failing = (said: string) => fakeNpm({ before: `console.error(${JSON.stringify(said)}); process.exit(1);` });

  it.each([
    ["disk_full", "npm error code ENOSPC", /disk is full: installing needs about 500 MB/],
    ["no_permission", "npm error code EACCES", /npm config get cache/],
    ["no_network", "npm error code ENOTFOUND", /HTTPS_PROXY/],
    ["no_network", "npm error code SELF_SIGNED_CERT_IN_CHAIN", /NODE_EXTRA_CA_CERTS/],
    ["registry_refused", "npm error code E404", /npm config get registry/],
    ["install_failed", "npm error Something new", /^npm error Something new/],
  ])("says %s and what to do", (code, said, words) => {
    const { status, stderr } = install({ npm: failing(said) });
    expect(status).toBe(1);
    expect(stderr.replace(/^Installing.*\n/, "")).toMatch(words);
    expect(stderr).toMatch(new RegExp(`\\(${code}\\)\\n$`));
    expect(leftovers()).toEqual([]);
  });

  it("says that npm is missing", () => {
    const { status, stderr } = install({ npm: null, env: { PATH: join(copy, "nothing") } });
    expect([status, stderr]).toEqual([1, expect.stringContaining("(no_npm)")]);
  });

  it.skipIf(process.getuid?.() === 0)("says that the folder may not be written to (skipped for root, who may)", () => {
    chmodSync(copy, 0o500);
    try {
      expect(install({ npm: join(copy, "npm.cjs") })).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("(no_permission)"),
      });
    } finally {
      chmodSync(copy, 0o700);
    }
  });

  it("says before it downloads that no Node.js is pinned for the platform, and that the machine's own is too old", () => {
    const place = join(copy, "stated.mjs");
    writeFileSync(
      place,
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
      Object.defineProperty(process, "arch", { value: "riscv64" });`,
    );
    const { status, stderr, ran } = install({ options: ["--import", place] });
    expect([status, ran]).toEqual([1, undefined]);
    expect(stderr).toMatch(
      /^Node\.js 20\.20\.2 does not run TypeScript, and none is pinned for \w+ riscv64\. .+\(node_too_old\)\n$/,
    );
  });
});

it("pins one version of Node.js for every platform", () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, "src/serve/start/node/package.json"), "utf8"));
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1);
  expect(readFileSync(join(root, "Dockerfile"), "utf8")).toContain(
    `FROM node:${Object.values(optionalDependencies)[0]}-slim\n`,
  );
});
