import { draftRuleFile } from "../../src/cli/new-rule.ts";
import { runCommand } from "../../src/lint/command.ts";
import { asksForHelp } from "../../src/terminal/help-text.ts";
import { offline } from "../support/main-process.ts";
import { root } from "../support/shared.ts";
import type { LintEnded } from "./rule-lint-process.ts";

/**
 * Runs the commands of rule-lint in this process, in a folder of choice, as src/cli/rule-lint.ts does. A process of its own for each run
 * would load the same code each time. One run at a time: the folder and the environment belong to the process.
 */
export async function runRuleLintHere(
  args: readonly string[],
  { cwd = root, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<LintEnded> {
  const [home, before] = [process.cwd(), { ...process.env }];
  process.chdir(cwd);
  Object.assign(process.env, offline, env);
  try {
    const told: string[] = [];
    const [name, ...rest] = args;
    const { status, out, err } =
      name === "new" && !asksForHelp(args)
        ? await draftRuleFile(rest, (line) => told.push(`rule-lint: ${line}\n`))
        : runCommand(args, false);
    return { code: status, stdout: out, stderr: told.join("") + err };
  } finally {
    process.chdir(home);
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
    Object.assign(process.env, before);
  }
}
