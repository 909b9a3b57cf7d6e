import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { offline } from "../support/main-process.ts";
import { type Installed, installPackage } from "../support/npm-package.ts";
import { root } from "../support/shared.ts";

// By its file: the runner asks packages for what is meant for development, which here is TypeScript.
const checker = pathToFileURL(join(root, "node_modules/@arethetypeswrong/core/dist/index.js")).href;
const { checkPackage, createPackageFromTarballData }: typeof import("@arethetypeswrong/core") = await import(checker);

const recorded = join(root, "test/transactions");
const [firstCase = ""] = readdirSync(recorded).filter((name) => name.endsWith(".json"));

let installed: Installed;
beforeAll(() => {
  installed = installPackage();
}, 180_000);
afterAll(() => installed?.remove());

/** Runs Node.js in the folder where the package is installed, without a network. */
function run(...args: string[]) {
  const env = { ...process.env, ...offline };
  return spawnSync(process.execPath, args, { cwd: installed.dir, encoding: "utf8", env });
}

const command = (name: string, ...args: string[]) => run(`node_modules/txgloss/bin/${name}.js`, ...args);

/** The same in a folder that holds nothing. */
function elsewhere(name: string, ...args: string[]) {
  const cwd = join(installed.dir, "elsewhere");
  mkdirSync(cwd, { recursive: true });
  const entry = join(installed.dir, `node_modules/txgloss/bin/${name}.js`);
  const env = { ...process.env, ...offline };
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], { cwd, encoding: "utf8", env });
  return { status, stdout, stderr };
}

describe("the npm package", { timeout: 120_000 }, () => {
  it("pleases publint", async () => {
    const pkgDir = join(installed.dir, "node_modules/txgloss");
    const { messages, pkg } = await publint({ pkgDir, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it("has types that resolve in every way in which Node.js and bundlers look", async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(installed.tarball))));
    const problems = "problems" in result ? result.problems : ["no types"];
    // The package has only ES modules. `require` gives what Node.js makes of them.
    const expected = ["CJSResolvesToESM", "NoResolution"];
    expect(problems.filter((one) => typeof one === "string" || !expected.includes(one.kind))).toEqual([]);
  });

  it("holds what it needs and nothing else", () => {
    const top = readdirSync(join(installed.dir, "node_modules/txgloss")).sort();
    const pages = ["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"];
    const folders = ["bin", "dist", "docs", "labels", "rules", "schemas"];
    expect(top).toEqual([...pages, ...folders, "package.json", "server.json"].sort());
  });

  it("holds every page that its pages link to", () => {
    const place = join(installed.dir, "node_modules/txgloss");
    const pages = ["", "docs"].flatMap((folder) =>
      readdirSync(join(place, folder)).flatMap((name) => (name.endsWith(".md") ? [join(folder, name)] : [])),
    );
    expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/http-api.md"]));
    const links = pages.flatMap((page) =>
      [...readFileSync(join(place, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) =>
        join(dirname(page), path),
      ),
    );
    expect(links.length).toBeGreaterThan(20);
    // Pictures would be a quarter of the package.
    const missing = links.filter((path) => !path.endsWith(".png") && !existsSync(join(place, path)));
    expect(missing).toEqual([]);
  });

  it("explains a case file by npx txgloss replay", () => {
    cpSync(join(recorded, firstCase), join(installed.dir, "case.json"));
    const { status, stdout, stderr } = command("txgloss", "replay", "--json", "case.json");
    expect([status, stderr]).toEqual([0, ""]);
    const sources = spawnSync(
      process.execPath,
      [join(root, "src/tools/cli/txgloss.ts"), "replay", "--json", firstCase],
      {
        cwd: recorded,
        encoding: "utf8",
      },
    );
    expect(stdout).toBe(sources.stdout);
  });

  it("checks somebody's own folder of rules by npx rule-lint", () => {
    const rules = join(installed.dir, "rules");
    mkdirSync(rules, { recursive: true });
    cpSync(join(root, "rules/actions.yaml"), join(rules, "actions.yaml"));
    cpSync(join(root, "rules/nft/highlight.yaml"), join(rules, "highlight.yaml"));
    expect(command("rule-lint", "rules")).toMatchObject({ status: 0, stdout: expect.stringContaining("0 errors") });
    writeFileSync(join(rules, "highlight.yaml"), "protocol: highlight\nkind: protocol\nnmae: Highlight\n");
    const { status, stdout } = command("rule-lint", "rules");
    expect([status, stdout]).toEqual([1, expect.stringContaining("`nmae` is no known field")]);
  });

  it.each([[[]], [["golden"]], [["--mutate"]]])(
    "says that its own rules cannot be checked without recordings: %j",
    (args) => {
      expect(elsewhere("rule-lint", ...args)).toEqual({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(
          /^rule-lint: the package holds no recordings.+--recordings DIR \(no_recordings\)\n$/,
        ),
      });
    },
  );

  it("compares recorded answers of somebody's own rules where there is no recording, and looks up sources", () => {
    const own = join(installed.dir, "elsewhere/own");
    mkdirSync(own, { recursive: true });
    cpSync(join(root, "test/tools/lint/RL204/good.yaml"), join(own, "good.yaml"));
    const written = elsewhere("rule-lint", "golden", "own", "--with", "shipped", "--golden", "golden", "--write");
    expect(written).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/0 changed.+ [1-9]\d* new/) });
    const again = elsewhere("rule-lint", "golden", "own", "--with", "shipped", "--golden", "golden");
    expect(again).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("0 changed, 0 changed in their evidence only, 0 new"),
    });
    const looked = elsewhere("rule-lint", "verify-sources", "own");
    expect(looked).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("uncheckable") });
  });

  it("drafts a rule beside whoever runs it, and never into the package", () => {
    const types = { Vote: [{ name: "voter", type: "address" }] };
    const domain = { name: "Agora", chainId: 8453, verifyingContract: charging.X402_PAY_TO };
    const typed = { types, primaryType: "Vote", domain, message: { voter: charging.X402_PAY_TO } };
    const [place, shipped] = [join(installed.dir, "elsewhere"), join(installed.dir, "node_modules/txgloss")];
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "vote.json"), JSON.stringify(typed));
    const before = readdirSync(join(shipped, "rules"), { recursive: true });
    expect(elsewhere("rule-lint", "new", "agora-vote", "--message", "vote.json")).toMatchObject({
      ...{ status: 0, stderr: "", stdout: expect.stringMatching(/^drafted rules\/agora-vote\.yaml: /) },
    });
    expect(existsSync(join(place, "rules/agora-vote.yaml"))).toBe(true);
    expect(readdirSync(join(shipped, "rules"), { recursive: true })).toEqual(before);
    const inside = join(shipped, "bin/rule-lint.js");
    const args = [inside, "new", "agora-vote", "--message", join(place, "vote.json")];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: shipped, encoding: "utf8" });
    expect([status, stderr]).toEqual([2, expect.stringContaining("(inside_package)")]);
  });
});

const charging = {
  X402_PAY_TO: "0x1111111111111111111111111111111111111111",
  X402_FACILITATOR: "http",
  X402_FACILITATOR_URL: "http://127.0.0.1:9",
  PASS_SECRET: "x".repeat(32),
};

describe("txgloss/decide", { timeout: 120_000 }, () => {
  it("bundles without a module of Node.js", async () => {
    const bundle = await rolldown({
      input: "node_modules/txgloss/dist/tools/library/decide.js",
      cwd: installed.dir,
      platform: "browser",
    });
    const { output } = await bundle.generate({ format: "esm" });
    expect(output.length).toBe(1);
    expect(output[0].imports).toEqual([]);
  });
});
