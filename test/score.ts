// `npm run score`: serves the shared corpus as an endpoint, starts the product on it without recordings, and prints how its
// answers compare with the labels. `npm run score -- --verbose` lists every miss. Says so and ends well without the corpus.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findShared, root } from "./support/shared.ts";

const replay = findShared("tools/replay-rpc.mjs");
const score = findShared("tools/score.mjs");
const labels = findShared("corpus/labels.jsonl");
if (replay === undefined || score === undefined || labels === undefined) {
  console.log("There is no shared corpus beside this checkout (SHARED_DIR names another place): nothing to score.");
  process.exit(0);
}

const children: ChildProcess[] = [];
process.on("exit", () => {
  for (const child of children) child.kill();
});

const upstream = JSON.parse(await start([replay, "--port", "0"], {}, (line) => line.startsWith("{"))).url as string;
const service = await start(
  [join(root, "src/main.js")],
  {
    PORT: "0",
    HOST: "127.0.0.1",
    RECORDINGS_DIR: "",
    RPC_URLS: upstream,
    BLOCKSCOUT_URL: upstream,
    LOOKUPS: "off",
    LOG_LEVEL: "warn",
  },
  (line) => line.includes("http://"),
);
const url = `${/http:\/\/\S+/.exec(service)?.[0]}/explain`;
const scored = run([score, "--labels", labels, "--url", url, ...process.argv.slice(2)], {}, "inherit");
process.exit(await new Promise<number>((resolve) => scored.once("close", (code) => resolve(code ?? 1))));

function run(args: string[], env: Record<string, string>, output: "pipe" | "inherit"): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", output, "inherit"],
  });
  children.push(child);
  return child;
}

/** Starts a server and gives the line of its output that says where it listens. */
async function start(args: string[], env: Record<string, string>, isReady: (line: string) => boolean): Promise<string> {
  const child = run(args, env, "pipe");
  if (child.stdout === null) throw new Error("no output");
  for await (const line of createInterface(child.stdout)) if (isReady(line)) return line;
  throw new Error(`${args[0]} ended before it listened`);
}
