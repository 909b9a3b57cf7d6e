import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findShared } from "../support/shared.ts";
import { writeSharedCases } from "../support/shared-cases.ts";
import { changesIn } from "./changes.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-golden-"));
afterAll(() => rmSync(dir, { recursive: true }));

it.skipIf(findShared("recent") === undefined)(
  "the golden record holds the shared transactions (skipped where they are not beside the checkout)",
  async () => {
    const sets = await writeSharedCases(dir);
    expect(sets).toHaveLength(2);
    expect(changesIn(sets.flatMap((set) => ["--cases", set]))).toBe("");
  },
  120_000,
);
