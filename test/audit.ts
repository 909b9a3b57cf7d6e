// `npm run audit`: how often today's answers break the laws of docs/risk.md, "Audit", as counts per law and set. Audits every recorded
// transaction and every rule example, and, where the shared folder is there, its transactions and attacks. `-- --show [REGEX]` prints
// each violation of the cases whose name fits; `-- --sets NAME,…` audits these sets alone. `-- --fuzz N` audits N recorded
// transactions with their facts made otherwise, and nothing else.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { openEngine } from "../src/engine/engine.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../src/model/case-file.ts";
import { loadRuleset } from "../src/rules/ruleset/load.ts";
import { auditAnswer } from "../src/tools/audit/audit.ts";
import { knowledgeOf } from "../src/tools/audit/known-contracts.ts";
import type { Law } from "../src/tools/audit/violation.ts";
import { exampleCases } from "../src/tools/lint/examples/examples.ts";
import { isUsable } from "../src/tools/lint/rule-view.ts";
import { anyMutant } from "./property/mutant-arbitrary.ts";
import { findShared, root } from "./support/shared.ts";
import { writeSharedCases } from "./support/shared-cases.ts";

interface NamedCase {
  name: string;
  file: CaseFile;
}

const { values } = parseArgs({
  options: {
    show: { type: "string" },
    sets: { type: "string" },
    fuzz: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
const knowledge = knowledgeOf({ ...engine, protocols: engine.catalog.protocols });
const laws: readonly Law[] = [2, 3, 4, 5, 6, 7, 8, 10];
/** Fuzzed cases of one row. */
const fuzzBatch = 10_000;
const shown = values.show === undefined ? undefined : new RegExp(values.show);

console.log(
  `${"".padEnd(22)}${laws.map((law) => `law ${law}`.padStart(7)).join("")}  answers, of them with violations`,
);
for (const [name, cases] of await collectSets()) report(name, cases());

/** Cases by set, each read when its turn comes. */
async function collectSets(): Promise<Map<string, () => NamedCase[]>> {
  const sets = new Map<string, () => NamedCase[]>();
  if (values.fuzz !== undefined) {
    const runs = Number(values.fuzz);
    for (let from = 0; from < runs; from += fuzzBatch)
      sets.set(`fuzzed from ${from}`, () => fuzzed(from, Math.min(fuzzBatch, runs - from)));
    return sets;
  }
  const wanted = values.sets?.split(",");
  const add = (name: string, cases: () => NamedCase[]) => {
    if (wanted === undefined || wanted.includes(name)) sets.set(name, cases);
  };
  add("recordings", () => readFolder(join(root, "test/transactions")));
  add("rule examples", readExamples);
  const attacks = findShared("attacks", "dev");
  if (attacks === undefined)
    console.log("Without a folder of more cases (SHARED_DIR, or ../shared) only those of this checkout are audited.");
  else {
    const { make } = await import(join(attacks, "../gen/big.mjs"));
    for (const kind of ["attack", "control"]) add(`${kind}s`, () => readAttacks(attacks, kind, make));
  }
  if (wanted !== undefined && !wanted.some((name) => name.startsWith("shared/"))) return sets;
  const dir = mkdtempSync(join(tmpdir(), "txgloss-audit-"));
  process.on("exit", () => rmSync(dir, { recursive: true }));
  for (const set of await writeSharedCases(dir)) {
    const [name = "", folder = ""] = set.split("=");
    add(name, () => readFolder(folder));
  }
  return sets;
}

function fuzzed(seed: number, count: number): NamedCase[] {
  return fc.sample(anyMutant, { seed, numRuns: count }).map((file, i) => ({ name: `seed ${seed}, case ${i}`, file }));
}

function readFolder(dir: string): NamedCase[] {
  const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => {
    const file = JSON.parse(readFileSync(join(dir, name), "utf8")) as CaseFile | CaseFileV1;
    return { name: name.replace(/\.json$/, ""), file: upgradeCase(file) };
  });
}

/** Attacks or controls of the shared folder. Those that are too big to keep are made by `make`. */
function readAttacks(dir: string, kind: string, make: (gen: unknown) => CaseFile | CaseFileV1): NamedCase[] {
  const lines = readFileSync(join(dir, "expect.jsonl"), "utf8").split("\n");
  const expected = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  return expected
    .filter((one) => one.kind === kind)
    .map(({ case: name, gen }) => {
      const file = gen ? make(gen) : (JSON.parse(readFileSync(join(dir, `${name}.json`), "utf8")) as CaseFile);
      return { name, file: upgradeCase(file) };
    });
}

function readExamples(): NamedCase[] {
  const { ruleset, files } = loadRuleset(join(root, "rules"));
  const usable = files.filter(isUsable);
  const scopes = new Map(usable.map((file) => [file.document.protocol, file.scope]));
  const recordingsDir = join(root, "test/transactions");
  const world = {
    ruleset,
    labels: engine.labels,
    recordingsDir,
    scopes: (protocol: string) => scopes.get(protocol),
  };
  return usable.flatMap((file) =>
    exampleCases(file, world).map(({ example, caseFile }, index) => ({
      name: `${file.document.protocol}: ${example.name ?? example.tx ?? index + 1}`,
      file: caseFile,
    })),
  );
}

/** Prints one line of counts, and the violations that were asked for. */
function report(set: string, cases: readonly NamedCase[]): void {
  const counts = new Map<Law, number>(laws.map((law) => [law, 0]));
  let broken = 0;
  for (const { name, file } of cases) {
    const { explanation } = engine.decide(file);
    const violations = auditAnswer(file, explanation, knowledge);
    if (violations.length > 0) broken++;
    for (const { law } of violations) counts.set(law, (counts.get(law) ?? 0) + 1);
    if (shown === undefined || violations.length === 0 || !shown.test(name)) continue;
    console.log(
      `${name}\n  [${explanation.action_type}${explanation.partial ? ", partial" : ""}] ${explanation.summary}`,
    );
    for (const { law, sentence } of violations) console.log(`    law ${law}: ${sentence}`);
  }
  const columns = laws.map((law) => String(counts.get(law)).padStart(7)).join("");
  console.log(`${set.padEnd(22)}${columns}  ${cases.length}, ${broken}`);
}
