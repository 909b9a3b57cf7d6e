import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { WaitingFirst } from "./support/waiting-first.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Folders whose files stop what they start, and put back what they change: many of them in one process, which loads what they share once. */
const folders =
  "abi access assess audit bulk cli documents engine erc7730 explain fetch golden http kernel labels library lint lookup match mcp model money " +
  "mutation network normalize picture plan present preview property receipt recordings rules ruleset scenario service settings settle start " +
  "terminal typed-data unwrap view volume web";
const together = folders.split(" ").flatMap((folder) => globSync(`test/${folder}/**/*.test.ts`, { cwd: root }));
/** Who replaces modules, methods or the clock needs a process of its own. */
const replaces = (file: string) =>
  /\bvi\.(?:mock|doMock|spyOn|useFakeTimers|setSystemTime|stubGlobal)\(/.test(readFileSync(`${root}/${file}`, "utf8"));
const sharing = together.filter((file) => !replaces(file));

export default defineConfig({
  root,
  test: {
    globalSetup: ["test/support/temporary-folder.ts"],
    setupFiles: ["test/support/no-network.ts", "test/support/property-seed.ts"],
    pool: "forks",
    // Many tests wait for servers, blocks and commands, so half as many files more than there are cores run at once. (Of a percentage
    // the runner makes at most the number of cores.)
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: WaitingFirst },
    // Ends what hangs. A slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
    projects: [
      {
        extends: true,
        test: { name: "apart", include: ["test/**/*.test.ts"], exclude: [...configDefaults.exclude, ...sharing] },
      },
      {
        extends: true,
        // They replace no module, so Node.js may load them as it loads the product: without Vite, which takes a tenth of the time.
        test: { name: "together", include: sharing, isolate: false, experimental: { viteModuleRunner: false } },
      },
    ],
  },
});
