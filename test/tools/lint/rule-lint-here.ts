import { draftRuleFile } from "../../../src/tools/cli/new-rule.ts";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { asksForHelp } from "../../../src/tools/terminal/command-table.ts";
import { type Place, runAt } from "../../support/run-at.ts";
import type { LintEnded } from "./rule-lint-process.ts";

/** Runs the commands of rule-lint in this process, as src/tools/cli/rule-lint.ts does. */
export function runRuleLintHere(args: readonly string[], place: Place = {}): Promise<LintEnded> {
  return runAt(place, async () => {
    const told: string[] = [];
    const [name, ...rest] = args;
    const { status, out, err } =
      name === "new" && !asksForHelp(args)
        ? await draftRuleFile(rest, (line) => told.push(`rule-lint: ${line}\n`))
        : runCommand(args, false);
    return { code: status, stdout: out, stderr: told.join("") + err };
  });
}
