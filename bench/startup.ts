// From nothing to rules and labels that are ready, in processes of their own: the very first start, which parses all YAML, and every
// later one. Wall time of several starts, an empty process beside each. What counts is the best: a busy machine only adds. Budgets, in
// empty processes (40 ms where this was set): 25 for a start, 62 for the very first one, which parses all YAML but the examples. Code is
// compiled by then: the install step does it once, and the round before the first here.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, report } from "./support/rounds.ts";

const budgets = [undefined, 25, 62];
const starts = 9;
const subject = fileURLToPath(new URL("support/startup-subject.js", import.meta.url));
const kinds = [
  { name: "empty process", args: ["--eval", "console.log('{}')"] },
  { name: "start", args: [subject, "start"] },
  { name: "first start, all YAML parsed", args: [subject, "parse"] },
];

const samples = kinds.map((): { wallMs: number; loadMs?: number; cpuMs?: number }[] => []);
for (let round = -1; round < starts; round++)
  for (const [i, { args }] of kinds.entries()) {
    const sample = run(args);
    if (round >= 0) samples[i]?.push(sample);
  }

console.log("median ms".padEnd(30), "wall", "  best", "reading", "   CPU");
for (const [i, { name }] of kinds.entries()) {
  const own = samples[i] ?? [];
  const wall = own.map(({ wallMs }) => wallMs);
  const figures = [
    median(wall),
    Math.min(...wall),
    median(own.map((one) => one.loadMs ?? 0)),
    median(own.map((one) => one.cpuMs ?? 0)),
  ];
  console.log(name.padEnd(28), ...figures.map((figure) => figure.toFixed(0).padStart(6)));
  const empty = Math.min(...(samples[0] ?? []).map(({ wallMs }) => wallMs));
  if (i > 0) report(`${name} ÷ an empty process, best of ${starts}`, Math.min(...wall) / empty, budgets[i]);
}

function run(args: string[]) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return { wallMs: performance.now() - start, ...(JSON.parse(stdout) as { loadMs?: number; cpuMs?: number }) };
}
