import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/no-network.ts", "test/support/property-seed.ts"],
    pool: "forks",
    // Many tests wait for servers and commands: as many files at once as there are cores, the smallest machine having two.
    maxWorkers: "100%",
    // Ends what hangs. A slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
