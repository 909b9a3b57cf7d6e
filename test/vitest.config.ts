// Three tiers of tests. `npm test` runs the quick one. Files named *.slow.test.ts belong to the second (`--mode slow`): processes, nodes,
// databases, browsers and long searches. `--mode all` has both. What takes hours is no test: npm run chaos, mutate, bench.
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { QuickFiles } from "./support/quick-files.ts";
import { WaitingFirst } from "./support/waiting-first.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Who replaces modules, methods or the clock needs a process of its own. */
const replaces = (file: string) =>
  /\bvi\.(?:mock|doMock|spyOn|useFakeTimers|setSystemTime|stubGlobal)\(/.test(readFileSync(`${root}/${file}`, "utf8"));

export default defineConfig(({ mode }) => {
  const isSlow = (file: string) => file.endsWith(".slow.test.ts");
  const files = globSync("test/**/*.test.ts", { cwd: root }).filter(
    (file) => mode === "all" || isSlow(file) === (mode === "slow"),
  );
  const isQuick = mode !== "slow" && mode !== "all";
  return {
    root,
    test: {
      globalSetup: ["test/support/temporary-folder.ts"],
      setupFiles: ["test/support/no-network.ts", "test/support/property-seed.ts"],
      env: { TEST_TIER: isQuick ? "quick" : "slow" },
      pool: "forks",
      // Slow tests wait for servers, blocks and commands, so half as many files more than there are cores run at once. (Of a percentage
      // the runner makes at most the number of cores.)
      maxWorkers: Math.ceil(availableParallelism() * (isQuick ? 1 : 1.5)),
      sequence: { sequencer: WaitingFirst },
      // Ends what hangs. A slow machine is no failure.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      reporters: isQuick ? ["default", new QuickFiles()] : ["default"],
      projects: [
        { extends: true, test: { name: "apart", include: files.filter(replaces) } },
        {
          extends: true,
          // They replace no module, so Node.js may load them as it loads the product: without Vite, which takes a tenth of the time.
          test: {
            name: "together",
            include: files.filter((file) => !replaces(file)),
            isolate: mode === "all",
            experimental: { viteModuleRunner: false },
          },
        },
      ],
    },
  };
});
