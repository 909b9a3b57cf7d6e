import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { root } from "../../support/shared.ts";

/** Whether the package has the folders that it ships. */
const world = vi.hoisted(() => ({ has: true }));
vi.mock("node:fs", async (original) => ({ ...(await original<object>()), existsSync: () => world.has }));

it.each([
  [true, join(root, "test/transactions")],
  [false, null],
])("recordings may be left out of the package, rules and labels may not: there are folders %s", (has, recordings) => {
  world.has = has;
  const { recordingsDir, rulesDir, labelsDir } = readConfig({});
  expect([recordingsDir, rulesDir, labelsDir]).toEqual([recordings, [join(root, "rules")], [join(root, "labels")]]);
});
