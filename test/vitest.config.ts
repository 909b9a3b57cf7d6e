import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { WaitingFirst } from "./support/waiting-first.ts";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts"],
    setupFiles: ["test/support/no-network.ts", "test/support/property-seed.ts"],
    pool: "forks",
    // Many tests wait for servers, blocks and commands, so half as many files more than there are cores run at once.
    maxWorkers: "150%",
    sequence: { sequencer: WaitingFirst },
    // Ends what hangs. A slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
