import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Installed, installPackage } from "../support/npm-package.ts";
import { root } from "../support/shared.ts";

const page = readFileSync(join(root, "docs/library.md"), "utf8");
const examples = [...page.matchAll(/^## (.+)$[\s\S]*?```ts\n([\s\S]+?)```/gm)].map(([, title = "", code = ""]) => ({
  title,
  code,
}));

/** A recorded transaction as JSON-RPC gives it. */
const recorded = join(root, "test/transactions");
const [name = ""] = readdirSync(recorded);
const { transaction, receipt, block } = JSON.parse(readFileSync(join(recorded, name), "utf8"));
const mine = `export const transaction = ${JSON.stringify(transaction)};
export const receipt = ${JSON.stringify({ ...receipt, blockNumber: block.number })};
`;

const compilerOptions = {
  ...{ strict: true, noEmit: true, target: "es2024", module: "nodenext", types: ["node"], typeRoots: [] as string[] },
  ...{ resolveJsonModule: true, allowImportingTsExtensions: true, noUncheckedIndexedAccess: true },
  ...{ exactOptionalPropertyTypes: true, skipLibCheck: false },
};

let installed: Installed;
const fileOf = (i: number) => `example-${i}.ts`;
beforeAll(() => {
  installed = installPackage();
  const typeRoots = [join(root, "node_modules/@types")];
  const settings = { compilerOptions: { ...compilerOptions, typeRoots }, include: ["*.ts"] };
  writeFileSync(join(installed.dir, "tsconfig.json"), JSON.stringify(settings));
  writeFileSync(join(installed.dir, "my-transaction.ts"), mine);
  examples.forEach(({ code }, i) => {
    writeFileSync(join(installed.dir, fileOf(i)), code.replace("https://mainnet.base.org", "http://127.0.0.1:9"));
  });
}, 180_000);
afterAll(() => installed?.remove());

describe("the examples of docs/library.md", { timeout: 120_000 }, () => {
  it("are three or more", () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
  });

  const compile = (...args: string[]) =>
    spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd: installed.dir, encoding: "utf8" }).stdout;

  it("compile by the strictest settings of TypeScript, as Node.js and as bundlers find modules", () => {
    expect(compile("-p", ".")).toBe("");
    expect(compile("-p", ".", "--module", "esnext", "--moduleResolution", "bundler")).toBe("");
  });

  it("for browsers need no newer settings than node16, whose imports of JSON have no attribute", () => {
    const use = `import { createEngine } from "txgloss/decide";
import { createMessageEngine } from "txgloss/decide-message";
import compiled from "txgloss/compiled-rules.json";
export const engines = { ...createEngine({ compiled }), ...createMessageEngine({ compiled }) };
`;
    mkdirSync(join(installed.dir, "older"));
    writeFileSync(join(installed.dir, "older/use.ts"), use);
    // The declarations of viem's own packages need newer ones; ours do not.
    const older = { ...compilerOptions, module: "node16", types: [], skipLibCheck: true };
    const settings = { compilerOptions: older, include: ["use.ts"] };
    writeFileSync(join(installed.dir, "older/tsconfig.json"), JSON.stringify(settings));
    expect(compile("-p", "older")).toBe("");
  });

  it.each(examples.map(({ title }, i) => [title, fileOf(i)]))("run: %s", (_title, file) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: installed.dir, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/0x|[a-z_]+/);
  });
});
