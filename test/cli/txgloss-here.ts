import { runCommandLine } from "../../src/cli/commands.ts";
import { runHere } from "../support/here.ts";
import type { Ended } from "./txgloss-process.ts";

/** Runs the command line in this process, as src/cli/txgloss.ts does, and keeps what it prints. */
export function runTxglossHere(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return runHere({ env }, async () => {
    const printed = { stdout: "", stderr: "" };
    const streams = ["stdout", "stderr"] as const;
    const before = streams.map((name) => process[name].write);
    const [status, listeners] = [process.exitCode, process.stdout.listeners("error")];
    process.exitCode = undefined;
    for (const name of streams)
      process[name].write = (text: string | Uint8Array) => {
        printed[name] += text;
        return true;
      };
    try {
      await runCommandLine(args);
      return { code: Number(process.exitCode ?? 0), ...printed };
    } finally {
      for (const [i, name] of streams.entries()) process[name].write = before[i] as typeof process.stdout.write;
      process.exitCode = status;
      for (const added of process.stdout.listeners("error"))
        if (!listeners.includes(added)) process.stdout.off("error", added as () => void);
    }
  });
}
