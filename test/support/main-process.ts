import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "./shared.ts";

export interface MainProcess {
  child: ChildProcess;
  /** Where it listens. */
  url: string;
  /** What it printed when it listened. */
  greeting: string;
}

/** Settings without any network: nothing listens on port 9 of this machine. */
export const offline = {
  HOST: "127.0.0.1",
  PORT: "0",
  RPC_URLS: "http://127.0.0.1:9",
  BLOCKSCOUT_URL: "",
  PRICES_URL: "",
  LOOKUPS: "off",
  LOG_LEVEL: "warn",
  DRAIN_DELAY_S: "0",
};

function launch(env: Record<string, string>, entry = "src/main.js"): ChildProcess {
  return spawn(process.execPath, [join(root, entry)], {
    env: { ...process.env, ...offline, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Starts the product and waits until it listens. Rejects with what it wrote to stderr when it ends instead. */
export async function startMain(env: Record<string, string> = {}, entry?: string): Promise<MainProcess> {
  const child = launch(env, entry);
  const failed = text(child.stderr as NodeJS.ReadableStream).then((said) => Promise.reject(new Error(said)));
  // After the start nobody waits for this promise, but it still rejects when the process ends.
  failed.catch(() => {});
  const listening = (async () => {
    let greeting = "";
    for await (const chunk of child.stdout as NodeJS.ReadableStream) {
      greeting += chunk;
      const url = /http:\/\/\S+/.exec(greeting)?.[0];
      if (url !== undefined) return { child, url, greeting };
    }
    return failed;
  })();
  return Promise.race([listening, failed]);
}

/** Runs the product where it is expected to refuse to start. */
export async function runMain(env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = launch(env);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}
