import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { runHere } from "./run-here.ts";

it.each([
  ["a folder", ".", "is a folder, and a file was expected"],
  ["a wrong name", "none.ndjson", ""],
])("`ledger import` of %s names it, and makes no ledger", async (_what, name, why) => {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-import-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  vi.stubEnv("DATA_DIR", join(dir, "data"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = join(dir, name);
  const told = why === "" ? `there is no ${path}` : `${path} ${why}`;
  expect(await runHere("ledger", "import", path)).toEqual({ out: "", err: `txgloss: ${told}\n`, status: 2 });
  expect(existsSync(join(dir, "data"))).toBe(false);
});
