// The second tier: `npm run test:slow`. Processes, nodes, databases, browsers, and long searches.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { WaitingFirst } from "./support/waiting-first.ts";
import { common, projects, root } from "./vitest.config.ts";

export default defineConfig({
  root,
  test: {
    ...common,
    env: { TEST_TIER: "slow" },
    // Many tests wait for servers, blocks and commands, so half as many files more than there are cores run at once. (Of a percentage
    // the runner makes at most the number of cores.)
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: WaitingFirst },
    projects: projects(globSync("test/**/*.slow.test.ts", { cwd: root })),
  },
});
