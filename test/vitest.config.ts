import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/no-network.ts"],
    pool: "forks",
    testTimeout: 20_000,
    reporters: ["default"],
  },
});
