// Runs every benchmark of this folder, one after the other, and ends with a table of the results (bench/support holds their parts). A
// benchmark prints what it likes and, for each result, a line such as {"bench": "what ÷ what", "ratio": 1.2, "limit": 1.3}. With names as
// arguments only those benchmarks run: `npm run bench -- http`. Exit status 1 when one fails or is over its limit.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

interface Finding {
  bench: string;
  ratio: number;
  limit?: number;
}

const here = new URL(".", import.meta.url);
const wanted = process.argv.slice(2);
const findings: Finding[] = [];
let failed = false;

for (const name of listBenchmarks()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  if ((await run(name)) !== 0) {
    failed = true;
    console.log("  failed");
  }
}
console.log(`\n${formatTable()}`);
process.exit(failed || findings.some(isOver) ? 1 : 0);

function listBenchmarks(): string[] {
  const names = readdirSync(here).filter((name) => name.endsWith(".ts") && name !== "run.ts");
  return names.map((name) => name.slice(0, -".ts".length)).sort();
}

async function run(name: string): Promise<number | null> {
  const child = spawn(process.execPath, ["--expose-gc", fileURLToPath(new URL(`${name}.ts`, here))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  for await (const line of createInterface(child.stdout)) {
    const finding = readFinding(line);
    if (finding === undefined) console.log(`  ${line}`);
    else findings.push(finding);
  }
  return exited;
}

function readFinding(line: string): Finding | undefined {
  if (!line.startsWith('{"bench"')) return undefined;
  return JSON.parse(line) as Finding;
}

function isOver({ ratio, limit }: Finding): boolean {
  return limit !== undefined && ratio > limit;
}

function formatTable(): string {
  const width = Math.max(5, ...findings.map(({ bench }) => bench.length));
  const rows = findings.map((finding) => {
    const limit = finding.limit === undefined ? "" : `  limit ${finding.limit}${isOver(finding) ? "  OVER" : ""}`;
    return `${finding.bench.padEnd(width)}  ${String(finding.ratio).padStart(8)}${limit}`;
  });
  return [`${"".padEnd(width)}  ${"ratio".padStart(8)}`, ...rows].join("\n");
}
