import { watch } from "node:fs";
import { runCommand } from "./command.ts";
import type { CommandResult } from "./command-result.ts";
import { watchedFolders } from "./sources.ts";

/** Editors write a file in several steps. */
const quietMs = 100;

export interface WatchSurroundings {
  out: (text: string) => void;
  err: (text: string) => void;
  colour: boolean;
  ended: AbortSignal;
}

/** Lints now and at every change of a rule or label file, until the signal. Resolves to the last run's status. */
export async function watchRules(args: readonly string[], surroundings: WatchSurroundings): Promise<0 | 1 | 2> {
  const { out, err, colour, ended } = surroundings;
  const own = args.filter((arg) => arg !== "--watch");
  const lint = (): CommandResult["status"] => {
    const run = runCommand(own, colour);
    out(run.out);
    err(run.err);
    return run.status;
  };
  let status = lint();
  if (status === 2) return status;
  const folders = watchedFolders(own.filter((arg) => !arg.startsWith("-")));
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      if (name !== null && !/\.ya?ml$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        out(`\n${new Date().toISOString().slice(11, 19)} ${name ?? "a file"} changed\n`);
        status = lint();
        err(waiting);
      }, quietMs);
    }),
  );
  err(waiting);
  await new Promise<void>((end) => {
    if (ended.aborted) end();
    ended.addEventListener("abort", () => end(), { once: true });
  });
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  return status;
}

const waiting = "rule-lint: watching; Ctrl+C ends it\n";
