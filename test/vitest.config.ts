// The quick tier: `npm test`. Files named *.slow.test.ts are in the second one (vitest.slow.config.ts).
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { QuickFiles } from "./support/quick-files.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));
const slow = "test/**/*.slow.test.ts";
/** Who replaces modules, methods or the clock needs a process of its own. */
const replaces = (file: string) =>
  /\bvi\.(?:mock|doMock|spyOn|useFakeTimers|setSystemTime|stubGlobal)\(/.test(readFileSync(`${root}/${file}`, "utf8"));

/** What both tiers share. */
export const common = {
  globalSetup: ["test/support/temporary-folder.ts"],
  setupFiles: ["test/support/no-network.ts", "test/support/property-seed.ts"],
  pool: "forks",
  // Ends what hangs. A slow machine is no failure.
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const;

/** One project for files that need a process of their own, and one for the others, which share processes and load the product once. */
export function projects(files: readonly string[]) {
  const apart = files.filter(replaces);
  const together = files.filter((file) => !replaces(file));
  return [
    { extends: true as const, test: { name: "apart", include: apart } },
    {
      extends: true as const,
      // They replace no module, so Node.js may load them as it loads the product: without Vite, which takes a tenth of the time.
      test: { name: "together", include: together, isolate: false, experimental: { viteModuleRunner: false } },
    },
  ];
}

export default defineConfig({
  root,
  test: {
    ...common,
    env: { TEST_TIER: "quick" },
    exclude: [...configDefaults.exclude, slow],
    reporters: ["default", new QuickFiles()],
    projects: projects(globSync("test/**/*.test.ts", { cwd: root, exclude: [slow] })),
  },
});
