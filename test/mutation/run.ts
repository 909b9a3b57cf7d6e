// `npm run mutate`: makes small changes to the product, one at a time, and lists those that no test notices. It works in a copy of the
// checkout. Ctrl-C ends a run early, with what it found.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { root } from "../support/shared.ts";
import { type Change, changedLine, changesOf } from "./change.ts";
import { compiling } from "./compiling.ts";
import { Judge, silence } from "./judge.ts";
import { drawChanges, type Equivalent, withoutEquivalent } from "./pick.ts";
import { type LinkMemory, Reach } from "./reach.ts";
import { chooseFurtherTests, chooseTests } from "./tests.ts";
import { copyTree } from "./tree.ts";

/** What a run learns about tests, for the next one. */
interface Memory {
  links: LinkMemory;
  took: Record<string, number>;
}

const usage = `npm run mutate [-- OPTION ...]

Makes small changes to src, one at a time, and lists those that no test notices.

  --changes N          how many changes (150)
  --seed N             which ones (1)
  --only PATH          only below this path of src (src)
  --limit PERCENT      exit code 1 when fewer are noticed (92)
  --survivors-to FILE  writes those that nothing noticed, one a line
  --again FILE         judges those of such a file again
  --quick              asks the tests of \`npm test\` alone
  --near               asks the nearest tests alone, and lets the compiler judge the survivors: a look at one room, soon over
`;
const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    changes: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "src" },
    limit: { type: "string", default: "92" },
    again: { type: "string" },
    near: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    "survivors-to": { type: "string" },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
const memoryPath = join(root, "node_modules/.cache/mutate.json");
const memory = readMemory();
const texts = readTexts();
const reach = new Reach(texts, memory.links);
const tree = copyTree(root);
const judge = new Judge(tree, values.quick ? "quick" : "all");
/** No test file may take longer than this, whatever else the machine does. Nearby test files are short. */
const silenceSeconds = values.near ? 20 : 120;
/** Test files that passed, or failed, without a change. */
const trusted = new Set<string>();
const broken = new Set<string>();
let stopped = false;
process.once("SIGINT", () => {
  stopped = true;
  void judge.close();
});
try {
  process.exitCode = await run();
} finally {
  await close();
}

async function run(): Promise<number> {
  const changes = pickChanges();
  const survivors: Change[] = [];
  const silent: Change[] = [];
  let made = 0;
  for (const [i, change] of changes.entries()) {
    const begun = performance.now();
    const { noticed, tests } = await judged(change);
    if (stopped) break;
    made++;
    if (noticed === null) survivors.push(change);
    if (noticed?.startsWith(silence)) silent.push(change);
    const verdict = noticed ?? `SURVIVED ${tests} test files`;
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`${String(i + 1).padStart(4)} ${describe(change)}\n       ${verdict} (${seconds} s)`);
    writeMemory();
  }
  for (const change of silent) console.log(`stopped, an endless loop or a machine too busy: ${describe(change)}`);
  return report(made, values.near ? compiling(tree, texts, survivors, survivors.length) : survivors);
}

/** The verdict of tests on a change: first the nearest ones, then others that reach its file. */
async function judged(change: Change): Promise<{ noticed: string | null; tests: number }> {
  const near = await judgedBy(change, chooseTests);
  if (near.noticed !== null || stopped || values.near) return near;
  const further = await judgedBy(change, chooseFurtherTests);
  return { noticed: further.noticed, tests: near.tests + further.tests };
}

/** The verdict of some tests on a change. Tests that fail without it too do not count. */
async function judgedBy(
  change: Change,
  choose: typeof chooseTests,
): Promise<{ noticed: string | null; tests: number }> {
  const tests = choose(reach.testsOf(change.path), memory.took).filter(
    (path) => !broken.has(path) && !(values.quick && path.endsWith(".slow.test.ts")),
  );
  const { noticed, took } = await judge.judge(change, tests, silenceSeconds);
  if (noticed === null) Object.assign(memory.took, took);
  const failed = tests.find((path) => noticed?.startsWith(path));
  // What passes with a change passes without one.
  for (const path of Object.keys(took)) if (path !== failed) trusted.add(path);
  if (failed === undefined || trusted.has(failed)) return { noticed, tests: tests.length };
  const unchanged = await judge.warmUp([failed], silenceSeconds);
  Object.assign(memory.took, unchanged.took);
  (unchanged.noticed === null ? trusted : broken).add(failed);
  return unchanged.noticed === null ? { noticed, tests: tests.length } : judgedBy(change, choose);
}

/** The changes of this run: drawn by the seed, or the survivors of an earlier run that can still be made. */
function pickChanges(): Change[] {
  const sources = [...texts].filter(([path]) => path.startsWith(values.only) && path.startsWith("src/"));
  const equivalents = parse(readFileSync(join(root, "test/mutation/equivalent.yaml"), "utf8")) as Equivalent[];
  const all = withoutEquivalent(
    sources.flatMap(([path, text]) => changesOf(path, text)),
    texts,
    equivalents,
  );
  const count = Number(values.changes);
  const drawn = drawChanges(all, count, Number(values.seed));
  if (values.again === undefined)
    return values.near ? [...drawn].slice(0, count) : compiling(tree, texts, drawn, count);
  const wanted = new Set(readFileSync(values.again, "utf8").trim().split("\n"));
  return all.filter((change) => wanted.has(nameOf(change)));
}

function report(count: number, survivors: readonly Change[]): number {
  for (const path of broken) console.log(`fails without a change: ${path}`);
  const share = (100 * (count - survivors.length)) / Math.max(1, count);
  console.log(
    `\n${count - survivors.length} of ${count} changes noticed (${share.toFixed(1)} %), seed ${values.seed}.`,
  );
  for (const change of survivors) console.log(`  survived: ${describe(change)}`);
  const file = values["survivors-to"];
  if (file !== undefined) writeFileSync(file, survivors.map((change) => `${nameOf(change)}\n`).join(""));
  return share < Number(values.limit) ? 1 : 0;
}

function describe(change: Change): string {
  const { from, to } = changedLine(texts.get(change.path) as string, change);
  return `${change.path}:${change.line} ${change.kind}\n       - ${from}\n       + ${to}`;
}

/** A change by its file and its line before and after, as equivalent.yaml names it. */
function nameOf(change: Change): string {
  return JSON.stringify({ file: change.path, ...changedLine(texts.get(change.path) as string, change) });
}

function readTexts(): Map<string, string> {
  const paths = ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const found = paths.filter((path) => /\.[jt]s$/.test(path) && !path.includes("node_modules")).sort();
  return new Map(found.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function readMemory(): Memory {
  try {
    return JSON.parse(readFileSync(memoryPath, "utf8")) as Memory;
  } catch {
    return { links: {}, took: {} };
  }
}

function writeMemory(): void {
  mkdirSync(dirname(memoryPath), { recursive: true });
  writeFileSync(memoryPath, JSON.stringify(memory));
}

async function close(): Promise<void> {
  await judge.close();
  rmSync(tree, { recursive: true, force: true });
}
