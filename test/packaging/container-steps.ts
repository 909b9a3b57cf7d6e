// Runs the steps of the Dockerfile in a clean folder and sends a request to the resulting service, on machines without Docker: node
// test/packaging/container-steps.ts It installs packages, so it needs their registry. The PATH holds node, npm and a shell: no compiler and
// no Python. Paths of the image are inside a temporary folder, and no file changes its owner.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../support/shared.ts";

const folder = mkdtempSync(join(tmpdir(), "txgloss-image-"));
const [app, data] = [join(folder, "app"), join(folder, "data")];
mkdirSync(app);

/** The instructions of the Dockerfile, with continued lines joined. */
const steps = readFileSync(join(root, "Dockerfile"), "utf8")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n\s*/g, " ")
  .split("\n")
  .flatMap((line) =>
    line === "" ? [] : [[line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const],
  );

const bin = join(folder, "bin");
mkdirSync(bin);
symlinkSync(process.execPath, join(bin, "node"));
for (const name of ["npm", "sh"]) {
  const place = (process.env.PATH ?? "")
    .split(delimiter)
    .map((path) => join(path, name))
    .find((path) => existsSync(path));
  if (place !== undefined) symlinkSync(place, join(bin, name));
}
const env: NodeJS.ProcessEnv = { ...process.env, PATH: bin };
for (const [name, text] of steps)
  if (name === "ENV")
    for (const [key = "", value = ""] of text.split(" ").map((pair) => pair.split("=")))
      env[key] = value.replace(/^\/data/, data);
env.HOST = "127.0.0.1";
env.PORT = "0";
env.RPC_URLS = "http://127.0.0.1:9";
env.LOOKUPS = "off";
delete env.RECORDINGS_DIR;

try {
  for (const [name, text] of steps) {
    if (name === "COPY") copy(text.split(" ").slice(0, -1));
    if (name === "RUN") run(text.replace(/ && mkdir \/data && chown node \/data/, ""));
  }
  const command = JSON.parse(steps.find(([name]) => name === "CMD")?.[1] ?? "[]") as string[];
  const status = await askHealth(command);
  console.log(`/healthz of the steps' result: ${status}`);
  process.exitCode = status === 200 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Copies committed files only, as `COPY` does in a clean checkout. */
function copy(paths: readonly string[]): void {
  const archive = execFileSync("git", ["archive", "HEAD", ...paths], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync("tar", ["x", "-C", app], { input: archive });
}

function run(script: string): void {
  console.log(`RUN ${script}`);
  execFileSync(join(bin, "sh"), ["-ec", script], { cwd: app, env, stdio: "inherit" });
}

/** Starts the service, reads its address from what it prints, and asks for its health. */
async function askHealth([, ...args]: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: app, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface(child.stdout)) {
      const [url] = /http:\/\/[\d.:]+/.exec(line) ?? [];
      if (url !== undefined) return (await fetch(`${url}/healthz`)).status;
    }
    throw new Error("the service ended before it told its address");
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}
