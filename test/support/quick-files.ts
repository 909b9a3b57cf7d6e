import type { Reporter, TestModule } from "vitest/node";

/** A file of the quick tier may take so many milliseconds, or this part of the whole run on a slower machine. */
const limit = { ms: 5_000, part: 0.05 };
/** They judge every recording and every finding of lint, and start the one process; nothing else does. */
const whole = ["test/golden/golden.test.ts", "test/tools/lint/fixtures.test.ts", "test/smoke.test.ts"];

/** Prints the ten slowest files, and fails the run when a file is too slow for the quick tier. */
export class QuickFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules
      .map((module) => ({ path: module.relativeModuleId, ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms);
    const all = timed.reduce((sum, { ms }) => sum + ms, 0);
    if (timed.length < 300) return;
    console.log(`\n Slowest of ${timed.length} files:`);
    for (const { path, ms } of timed.slice(0, 10)) console.log(` ${(ms / 1000).toFixed(1).padStart(6)} s  ${path}`);
    const slow = timed.filter(({ path, ms }) => !whole.includes(path) && ms > Math.max(limit.ms, all * limit.part));
    for (const { path } of slow)
      console.error(` ${path} is too slow for npm test: name it *.slow.test.ts, or make it quicker.`);
    if (slow.length > 0) process.exitCode = 1;
  }
}
