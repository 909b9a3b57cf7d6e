import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCase } from "../../../src/gather/recordings/case-format.ts";
import { exampleCases } from "../../../src/tools/lint/examples/examples.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { openSources } from "../../../src/tools/lint/world.ts";
import { root } from "../../support/shared.ts";
import { runRuleLintHere } from "./rule-lint-here.ts";

/** Protocols that the newcomer's folder does not know, each with one of its transactions (the one of its shipped file). */
const protocols = [
  { file: "rules/lending/teller.yaml", rule: "repay", action: "lending_repay" },
  { file: "rules/governance/reality-eth.yaml", rule: "answer", action: "governance" },
  { file: "rules/bridges/tbtc.yaml", rule: "bridge-out", action: "bridge_out" },
] as const;

/** What the newcomer starts with: the tables, the labels and the schemas. */
const kept = ["rules/actions.yaml", "rules/verbs.yaml", "rules/wording.yaml", "labels", "schemas"];

/** The three files alone, compiled beside the tables. */
const all = findSources(protocols.map(({ file }) => join(root, file)));
const rules = all.rules.filter(({ file }) => all.wanted.has(file) || !/rules\/\w+\//.test(file));
const { wanted, world } = openSources({ ...all, rules }, "");

let folder: string;
const run = (...args: string[]) => runRuleLintHere(args, { cwd: folder });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "txgloss-minutes-"));
  for (const part of kept) cpSync(join(root, part), join(folder, part), { recursive: true });
  for (const family of ["lending", "governance", "bridges"]) mkdirSync(join(folder, "rules", family));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The recording of the shipped example, as `txgloss record` would have written it; returns its hash. */
async function record(file: string, rule: string): Promise<string> {
  const loaded = wanted.find(({ source }) => source.file.endsWith(file));
  if (loaded === undefined) throw new Error(`${file} is not usable`);
  const found = exampleCases(loaded, world).find(({ example }) => example.rule === rule);
  if (found === undefined) throw new Error(`${rule} has no example`);
  await writeCase(join(folder, "cases"), found.caseFile);
  return found.caseFile.tx_hash;
}

describe("from `new` to a clean lint, offline", { timeout: 60_000 }, () => {
  it.each(protocols)("$file", async ({ file, rule, action }) => {
    const shipped = readFileSync(join(root, file), "utf8");
    const [, family = "", name = ""] = /^rules\/(\w+)\/(.+)\.yaml$/.exec(file) ?? [];
    const hash = await record(file, rule);
    const signatures = [...shipped.matchAll(/^ {2}\w+: "((?:event|function) .*)"$/gm)].map(([, text]) => text);
    writeFileSync(join(folder, `${name}.abi`), `${signatures.join("\n")}\n`);
    const given = ["--abi", `${name}.abi`, "--action", action, "--family", family, "--recordings", "cases"];

    const drafted = await run("new", name, "--tx", hash, ...given);
    expect([drafted.code, drafted.stderr]).toEqual([0, ""]);
    expect(drafted.stdout).toContain(`drafted ${file}: `);

    const draft = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), draft.replaceAll(/^ *# draft:.*\n/gm, ""));
    const clean = { code: 0, stdout: expect.stringMatching(/\n0 errors, 0 warnings in 1 file\n$/), stderr: "" };
    const { stdout, ...rest } = await run(file, "--recordings", "cases");
    expect(rest).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^0 errors, 0 warnings(?:, 1 note)? in 1 file$/m);

    // The file as a person completes it, with the transaction as its example.
    writeFileSync(join(folder, file), `${shipped}examples:\n  - { tx: "${hash}", rule: ${rule}, action: ${action} }\n`);
    expect(await run(file, "--recordings", "cases")).toEqual(clean);
  });
});
