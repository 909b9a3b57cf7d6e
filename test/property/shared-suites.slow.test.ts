import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { findShared, root } from "../support/shared.ts";

/** Labelled suites beside the checkout, and the kinds that must be right in all their cases. */
const suites: Record<string, readonly string[]> = {
  attacks: ["attacks", "controls"],
};

describe("labelled cases beside the checkout (skipped where they are not there)", { timeout: 300_000 }, () => {
  it.each(Object.entries(suites))("%s: %j are all right", (suite, kinds) => {
    const script = findShared(suite, "run.ts");
    if (script === undefined) return console.log(`${suite}: skipped, there is no shared folder`);
    const said = execFileSync(process.execPath, [script, "dev", "--quiet"], { cwd: root, encoding: "utf8" });
    for (const kind of kinds) {
      const [, right, all] = new RegExp(`${kind}:? *(\\d+) */ *(\\d+)`).exec(said) ?? [];
      expect([kind, right], said).toEqual([kind, all]);
    }
  });
});
