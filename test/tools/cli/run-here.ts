import { vi } from "vitest";
import { runCommandLine } from "../../../src/tools/cli/commands.ts";

/** Runs a command line in this process. Gives what it writes and its exit status. */
export async function runHere(...args: string[]) {
  const told = { out: "", err: "", status: undefined as unknown };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((more) => {
      told[stream === "stdout" ? "out" : "err"] += more;
      return true;
    }),
  );
  const listeners = process.stdout.listeners("error");
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await runCommandLine(args);
    return { ...told, status: process.exitCode };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
    for (const one of process.stdout.listeners("error"))
      if (!listeners.includes(one)) process.stdout.off("error", one as () => void);
  }
}
