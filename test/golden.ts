// `npm run golden`: which answers changed, as sentences before and after. Compares every rule example, every recorded transaction and,
// where the shared folder is there, its recent transactions and traces with test/golden; `-- --write` writes that anew, `-- --since REV`
// compares with it as it stood at a revision. Recorded transactions with one thing otherwise are compared, too, and what `rule-lint`
// says of rule files with a mistake; not with `--since`: of them the record has digests only.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../src/tools/lint/command.ts";
import type { DigestRecord, Digests } from "./golden/digest-record.ts";
import { collectDisturbed, disturbedRecord } from "./golden/disturbed.ts";
import { collectDisturbedMessages, disturbedMessagesRecord } from "./golden/disturbed-message.ts";
import { writeSharedCases } from "./support/shared-cases.ts";
import { disturbedDescriptorsRecord, importDisturbed } from "./tools/erc7730/disturbed-descriptor.ts";
import { disturbedFilesRecord, lintDisturbed } from "./tools/lint/disturbed-file.ts";

/** How many changes are named where the record has digests only. */
const shownMax = 40;
const dir = mkdtempSync(join(tmpdir(), "txgloss-golden-"));
try {
  const sets = (await writeSharedCases(dir)).flatMap((set) => ["--cases", set]);
  if (sets.length === 0)
    console.log(
      "Without a folder of more transactions (SHARED_DIR, or ../shared) only those of this checkout are compared.",
    );
  const { status, out, err } = runCommand(["golden", ...sets, ...process.argv.slice(2)], false);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = status;
  if (!process.argv.includes("--since")) {
    compare("With one thing otherwise, what is told of a recording changed", collectDisturbed(), disturbedRecord);
    compare(
      "With one thing otherwise, what is told of a message changed",
      collectDisturbedMessages(),
      disturbedMessagesRecord,
    );
    compare(
      "With one part otherwise, what a descriptor becomes changed",
      importDisturbed(),
      disturbedDescriptorsRecord,
    );
    compare("With a mistake in it, what rule-lint says of a file changed", lintDisturbed(), disturbedFilesRecord);
  }
} finally {
  rmSync(dir, { recursive: true });
}

function compare(what: string, found: Digests, record: DigestRecord): void {
  const changes = record.changes(found);
  if (changes.length > 0) console.log(`\n${what}, ${changes.length} times:\n${changes.slice(0, shownMax).join("\n")}`);
  if (process.argv.includes("--write")) record.write(found);
  else if (changes.length > 0) process.exitCode = 1;
}
