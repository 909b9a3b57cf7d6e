import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * Keeps all threads of this process on these cores (in the form of `taskset`). Processes that it starts afterwards stay there too. null:
 * does nothing. Returns a function that undoes it.
 */
export function pinTo(cores: string | null): () => void {
  if (cores === null) return () => {};
  const set = (list: string) => execFileSync("taskset", ["-a", "-c", "-p", list, String(process.pid)]);
  const all = `0-${availableParallelism() - 1}`;
  set(cores);
  return () => void set(all);
}

/** Whether this machine has two cores and the means to keep processes on one of them. */
export function canPin(): boolean {
  try {
    execFileSync("taskset", ["-V"], { stdio: "ignore" });
  } catch {
    return false;
  }
  return availableParallelism() > 1;
}
