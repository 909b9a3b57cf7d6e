import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { offline } from "../../support/main-process.ts";
import { root } from "../../support/shared.ts";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the real command line in its own process. Unless the test gives settings, it has no network. */
export async function runTxgloss(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, "src/tools/cli/txgloss.ts"), ...args], {
    env: { ...process.env, ...offline, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}

/** The case file of a recorded transaction that ships with the project. */
export function recordingOf(hash: string): string {
  return join(root, "test/transactions", `${hash}.json`);
}
