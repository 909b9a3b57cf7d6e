// `npm run golden`: which answers changed, as sentences before and after. Compares every rule example, every recorded transaction and,
// where the shared folder is there, its recent transactions and traces with test/golden; `-- --write` writes that anew, `-- --since REV`
// compares with it as it stood at a revision.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../src/lint/command.ts";
import { writeSharedCases } from "./support/shared-cases.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-golden-"));
try {
  const sets = (await writeSharedCases(dir)).flatMap((set) => ["--cases", set]);
  if (sets.length === 0)
    console.log("There is no shared folder beside this checkout: its transactions are not compared.");
  const { status, out, err } = runCommand(["golden", ...sets, ...process.argv.slice(2)], false);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = status;
} finally {
  rmSync(dir, { recursive: true });
}
