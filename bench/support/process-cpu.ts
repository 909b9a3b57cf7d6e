import { readFileSync } from "node:fs";

/** Clock ticks of a second in /proc: a constant of Linux. */
const ticksPerSecond = 100;

/** A group of processes. `parent`: its children come and go, and the CPU time of ended ones counts too. */
export interface ProcessGroup {
  pids: readonly number[];
  parent?: number;
}

/**
 * CPU seconds of a process with its threads. `ended`: of its children that have ended. undefined: the process is gone, or there is no
 * /proc.
 */
function readCpu(pid: number): { own: number; ended: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the process is in brackets and may hold anything. The text behind it starts with field 3.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const seconds = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) / ticksPerSecond;
    return { own: seconds(11), ended: seconds(13) };
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

/** Reads the CPU seconds of groups of processes from time to time, so that the use between two moments can be told later. */
export function watchCpu<Name extends string>(groups: Record<Name, ProcessGroup>, everyMs = 250) {
  const names = Object.keys(groups) as Name[];
  const samples: { at: number; seconds: Record<Name, number> }[] = [];
  const last = new Map<number, number>();
  const secondsOf = ({ pids, parent }: ProcessGroup): number => {
    let sum = 0;
    for (const pid of pids) {
      // A process that has ended keeps what it had.
      last.set(pid, readCpu(pid)?.own ?? last.get(pid) ?? 0);
      sum += last.get(pid) ?? 0;
    }
    if (parent === undefined) return sum;
    const { own, ended } = readCpu(parent) ?? { own: 0, ended: 0 };
    return childrenOf(parent).reduce((total, pid) => total + (readCpu(pid)?.own ?? 0), sum + own + ended);
  };
  const look = () => {
    const seconds = Object.fromEntries(names.map((name) => [name, secondsOf(groups[name])])) as Record<Name, number>;
    samples.push({ at: Date.now(), seconds });
  };
  look();
  const timer = setInterval(look, everyMs);
  return {
    stop: () => clearInterval(timer),
    /** CPU seconds of each group between two moments (milliseconds since the epoch). */
    between(from: number, to: number): Record<Name, number> {
      const nearest = (at: number) =>
        samples.reduce((best, one) => (Math.abs(one.at - at) < Math.abs(best.at - at) ? one : best));
      const [before, after] = [nearest(from).seconds, nearest(to).seconds];
      return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Record<Name, number>;
    },
  };
}
