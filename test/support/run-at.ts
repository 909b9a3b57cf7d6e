import { offline } from "./main-process.ts";
import { root } from "./shared.ts";

/** Where a command runs, and what is set beside the settings that keep it from the network. */
export interface Place {
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
}

/** The run before. The folder and the environment belong to the process, so runs wait for each other. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the code of a command in this process, in a folder and with an environment of its own, and puts both back. A process for each run
 * would load the same code each time.
 */
export function runAt<T>(place: Place, run: () => Promise<T>): Promise<T> {
  const ended = last.then(() => runIn(place, run));
  last = ended.catch(() => {});
  return ended;
}

async function runIn<T>({ cwd = root, env = {} }: Place, run: () => Promise<T>): Promise<T> {
  const [home, before] = [process.cwd(), { ...process.env }];
  process.chdir(cwd);
  Object.assign(process.env, offline, env);
  try {
    return await run();
  } finally {
    process.chdir(home);
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
    Object.assign(process.env, before);
  }
}
