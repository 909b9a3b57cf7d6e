import { runAt } from "../../support/run-at.ts";
import { runHere } from "./run-here.ts";
import type { Ended } from "./txgloss-process.ts";

/** Runs the command line in this process, as src/tools/cli/txgloss.ts does. Without settings of the test it reaches nobody. */
export function runTxglossHere(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return runAt({ env }, async () => {
    const { out, err, status } = await runHere(...args);
    return { code: Number(status ?? 0), stdout: out, stderr: err };
  });
}
