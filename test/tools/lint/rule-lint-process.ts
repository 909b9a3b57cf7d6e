import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { offline } from "../../support/main-process.ts";
import { root } from "../../support/shared.ts";

export interface LintEnded {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the real rule-lint in a process of its own, in a folder of choice. */
export async function runRuleLint(
  args: readonly string[],
  { cwd = root, env = {}, home = root }: { cwd?: string; env?: Record<string, string>; home?: string } = {},
): Promise<LintEnded> {
  const child = spawn(process.execPath, [join(home, "src/tools/cli/rule-lint.ts"), ...args], {
    cwd,
    env: { ...process.env, ...offline, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}
