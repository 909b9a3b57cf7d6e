// How long an author waits: linting one file beside all others, compared with linting everything. Each runs in its own process, in turn,
// and the best time of each counts, because a busy machine only adds time. The first round fills the caches of code and of files without a
// mistake. Budget: three tenths.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../test/support/shared.ts";
import { median, report } from "./support/rounds.ts";

const budget = 0.3;
const rounds = 5;
const kinds = [
  { name: "everything", paths: ["rules", "labels"] },
  { name: "one file", paths: ["rules/lending/aave-v3.yaml"] },
  { name: "a copy (`like`)", paths: ["rules/lending/seamless.yaml"] },
];

const samples = kinds.map((): number[] => []);
for (let round = -1; round < rounds; round++)
  for (const [i, { paths }] of kinds.entries()) {
    const milliseconds = run(paths);
    if (round >= 0) samples[i]?.push(milliseconds);
  }

const best = samples.map((times) => Math.min(...times));
for (const [i, { name }] of kinds.entries())
  console.log(`${name.padEnd(18)} median ${median(samples[i] ?? []).toFixed(0)} ms, best ${best[i]?.toFixed(0)} ms`);
const [everything = Number.NaN, ...single] = best;
report("lint of one file ÷ of everything", Math.max(...single) / everything, budget);

/** Wall time of one run in milliseconds. */
function run(paths: readonly string[]): number {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "src/tools/cli/rule-lint.ts"), ...paths], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return performance.now() - start;
}
