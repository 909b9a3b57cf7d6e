import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "../../src/lint/command.ts";
import { findShared, root } from "../support/shared.ts";
import { writeSharedCases } from "../support/shared-cases.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-golden-"));
afterAll(() => rmSync(dir, { recursive: true }));

function changesIn(args: readonly string[]): string {
  const golden = ["golden", join(root, "rules"), join(root, "labels"), "--golden", join(root, "test/golden")];
  const { status, out, err } = runCommand([...golden, ...args], false);
  return status === 0 ? "" : `${out}${err}`;
}

describe("the golden record", () => {
  it("holds every example and every recorded transaction: `npm run golden` shows what changed", () => {
    expect(changesIn([])).toBe("");
  });

  it.skipIf(findShared("recent") === undefined)(
    "holds the shared transactions",
    async () => {
      const sets = await writeSharedCases(dir);
      expect(sets).toHaveLength(2);
      expect(changesIn(sets.flatMap((set) => ["--cases", set]))).toBe("");
    },
    60_000,
  );
});
