// `npm run golden`: which answers changed, as sentences before and after. Compares every rule example, every recorded transaction and,
// where the shared folder is there, its recent transactions and traces with test/golden; `-- --write` writes that anew, `-- --since REV`
// compares with it as it stood at a revision. Recorded transactions with one thing otherwise are compared, too, but for `--since`: of
// them the record has no sentences.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../src/lint/command.ts";
import { changesIn, collectDisturbed, writeDisturbed } from "./golden/disturbed.ts";
import { writeSharedCases } from "./support/shared-cases.ts";

/** How many changes of the second kind are named. */
const shownMax = 40;
const dir = mkdtempSync(join(tmpdir(), "txgloss-golden-"));
try {
  const sets = (await writeSharedCases(dir)).flatMap((set) => ["--cases", set]);
  if (sets.length === 0)
    console.log("There is no shared folder beside this checkout: its transactions are not compared.");
  const { status, out, err } = runCommand(["golden", ...sets, ...process.argv.slice(2)], false);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = status;
  if (!process.argv.includes("--since")) compareDisturbed(process.argv.includes("--write"));
} finally {
  rmSync(dir, { recursive: true });
}

function compareDisturbed(write: boolean): void {
  const found = collectDisturbed();
  const changes = changesIn(found);
  if (changes.length > 0) {
    const shown = changes.slice(0, shownMax).join("\n");
    console.log(`\nWith one thing otherwise, ${changes.length} answers, or their evidence or view, changed:\n${shown}`);
  }
  if (write) writeDisturbed(found);
  else if (changes.length > 0) process.exitCode = 1;
}
