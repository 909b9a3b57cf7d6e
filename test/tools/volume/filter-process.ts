import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { offline } from "../../support/main-process.ts";
import { root } from "../../support/shared.ts";
import type { Ended } from "../cli/txgloss-process.ts";

/** Runs a command line over lines of input. Unless the test gives settings, it has no network. */
export async function runFilterProcess(
  args: readonly string[],
  input: string | Uint8Array,
  env: Record<string, string> = {},
): Promise<Ended> {
  return runWithInput([process.execPath, join(root, "src/tools/cli/txgloss.ts"), ...args], input, env);
}

/** The same for any program. */
export async function runWithInput(
  [program = "", ...args]: readonly string[],
  input: string | Uint8Array,
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(program, args, { env: { ...process.env, ...offline, ...env }, stdio: "pipe" });
  // It may end before it has read everything.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}

/** Case files that ship with the project, each as one line. */
export function recordedLines(count: number): string[] {
  const dir = join(root, "test/transactions");
  const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
  return names
    .sort()
    .slice(0, count)
    .map((name) => readFileSync(join(dir, name), "utf8").trim());
}
