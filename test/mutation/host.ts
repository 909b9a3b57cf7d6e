// A process of its own that keeps Vitest ready. A change may cause an endless loop; then the whole process is stopped.
import { join } from "node:path";
import { createVitest, type TestModule, type TestSpecification } from "vitest/node";

/** The order to the host: run these test files, one after the other, up to the first that fails. Paths are relative to the tree. */
export interface Order {
  /** Files that may have another text than before. */
  stale: string[];
  tests: string[];
}

/** The answer of the host. `noticed`: the first test that failed, or null. */
export interface Verdict {
  noticed: string | null;
  /** Milliseconds by test file. */
  took: Record<string, number>;
}

const tree = process.argv[2] as string;
let wanted: string[] = [];
let ended: TestModule[] = [];

/** Keeps the order that was asked for. */
class AsAsked {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
  sort(files: TestSpecification[]): TestSpecification[] {
    const place = ({ moduleId }: TestSpecification) => wanted.indexOf(moduleId);
    return files.sort((a, b) => place(a) - place(b));
  }
}

const vitest = await createVitest({
  root: tree,
  config: join(tree, "test/vitest.config.ts"),
  mode: process.argv[3] as string,
  watch: false,
  maxWorkers: 1,
  // Without isolation, a process that lives on would keep the old module after a change.
  isolate: true,
  bail: 1,
  retry: 0,
  // The result of a run also holds modules of earlier runs. The reporter collects those that ended in this one.
  reporters: [{ onTestModuleEnd }],
  sequence: { sequencer: AsAsked },
});
await vitest.standalone();
await vitest.globTestSpecifications();
process.on("message", (order: Order) => void run(order).then((verdict) => process.send?.(verdict)));
process.send?.("ready");

/** Reports the end of each test file at once: as long as files end, there is no endless loop. */
function onTestModuleEnd(module: TestModule): void {
  ended.push(module);
  process.send?.("a file ended");
}

async function run({ stale, tests }: Order): Promise<Verdict> {
  for (const path of stale) vitest.invalidateFile(join(tree, path));
  wanted = tests.map((path) => join(tree, path));
  ended = [];
  const { unhandledErrors } = await vitest.runTestSpecifications(
    wanted.flatMap((path) => vitest.getModuleSpecifications(path)),
  );
  const took = Object.fromEntries(
    ended.map((module) => {
      const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } =
        module.diagnostic();
      const all = collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration;
      return [module.relativeModuleId, Math.round(all)];
    }),
  );
  const failed = ended.map(failureOf).find((name) => name !== undefined);
  const unhandled = unhandledErrors.length > 0 ? `an error outside of tests: ${messageOf(unhandledErrors[0])}` : null;
  return { noticed: failed ?? unhandled, took };
}

function failureOf(module: TestModule): string | undefined {
  if (module.errors().length > 0) return `${module.relativeModuleId} (cannot be loaded)`;
  const [first] = module.children.allTests("failed");
  if (first !== undefined) return `${module.relativeModuleId} > ${first.fullName}`;
  return module.state() === "failed" ? module.relativeModuleId : undefined;
}

function messageOf(error: unknown): string {
  return String((error as { message?: unknown } | null)?.message ?? error).split("\n")[0] as string;
}
