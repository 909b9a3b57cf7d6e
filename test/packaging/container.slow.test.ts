import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/shared.ts";

it("the container answers after the steps of its file in a clean folder", { timeout: 600_000 }, () => {
  const said = execFileSync(process.execPath, [join(root, "test/packaging/container-steps.ts")], { encoding: "utf8" });
  expect(said).toMatch(/\/healthz of the steps' result: 200\n$/);
});
