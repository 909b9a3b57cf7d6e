// What deciding costs as transactions grow. 1. The cost per log at 50, 500 and 5,000 logs: at most 2.5 times as much in the large as in the small. 2. The largest
// transactions of each kind (bench/support/large.ts): under a second, answers under 256 KB. 3. How long the event loop stands still while
// the largest are decided as the service decides them.

import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openEngine } from "../src/engine/engine.ts";
import { openThreadedEngine } from "../src/engine/engine-thread.ts";
import type { CaseFile } from "../src/model/case-file.ts";
import { keepObjectsYoung } from "../src/serve/start/runtime.js";
import { root } from "../test/support/shared.ts";
import { growing, largest } from "./support/large.ts";
import { median, report } from "./support/rounds.ts";

// As the service starts.
keepObjectsYoung();
const folders = { rulesDir: join(root, "rules"), labelsDir: join(root, "labels") };
const engine = openEngine(folders);
const sizes = [50, 500, 5_000] as const;
const budget = { growth: 2.5, bytes: 256 * 1024 };

console.log("µs per log".padEnd(36), ...sizes.map((size) => `${size} logs`.padStart(11)));
for (const { name, make } of growing) {
  const files = sizes.map(make);
  // All sizes are warm before the first is measured.
  for (const file of files) timesOf(file, 3);
  const perLog = files.map((file, i) => (median(timesOf(file, i === 2 ? 15 : 200)) * 1_000) / (sizes[i] as number));
  console.log(name.padEnd(36), ...perLog.map((micros) => micros.toFixed(2).padStart(11)));
  // A small transaction has costs that do not depend on its logs, so only growth is judged.
  report(`a log of 5,000 ÷ a log of 50, ${name}`, (perLog[2] as number) / (perLog[0] as number), budget.growth);
}

console.log("largest".padEnd(36), "count".padStart(8), "ms".padStart(6), "body KB".padStart(8));
const worst = { ms: 0, bytes: 0 };
for (const { name, count, make } of largest) {
  const file = make(count);
  const ms = Math.min(...timesOf(file, 3));
  const bytes = Buffer.byteLength(JSON.stringify(engine.decide(file).explanation));
  console.log(
    name.padEnd(36),
    String(count).padStart(8),
    ms.toFixed(0).padStart(6),
    (bytes / 1024).toFixed(0).padStart(8),
  );
  worst.ms = Math.max(worst.ms, ms);
  worst.bytes = Math.max(worst.bytes, bytes);
}
// Times are of this machine, so they are shown and not judged.
report("largest transaction ÷ 1 s", worst.ms / 1_000);
report("largest body ÷ 256 KB", worst.bytes / budget.bytes, 1);
report("longest stall of the event loop ÷ 50 ms", (await longestStall()) / 50);

function timesOf(file: CaseFile, rounds: number): number[] {
  return Array.from({ length: rounds }, () => {
    const start = performance.now();
    engine.decide(file);
    return performance.now() - start;
  });
}

/** Milliseconds, over the largest transactions one after the other; without the first, which starts the thread. */
async function longestStall(): Promise<number> {
  const threaded = openThreadedEngine(engine, folders);
  const files = largest.map(({ count, make }) => make(count));
  await threaded.decide(files[0] as CaseFile);
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let longest = 0;
  for (const [i, file] of files.entries()) {
    delay.reset();
    JSON.stringify((await threaded.decide(file)).explanation);
    const stall = delay.max / 1e6;
    console.log(`event loop stood still, ${largest[i]?.name}`.padEnd(60), `${stall.toFixed(0)} ms`);
    longest = Math.max(longest, stall);
  }
  threaded.close();
  return longest;
}
