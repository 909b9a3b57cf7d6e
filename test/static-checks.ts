// Types, format and lint of the code, and lint of the rules, side by side: `npm run lint`. What each one says is printed when it
// ends. Ends with 1 when one of them failed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const steps = ["lint:types", "lint:code", "lint:rules"];

async function passes(step: string): Promise<boolean> {
  const child = spawn("npm", ["run", step], { stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  process.stdout.write(out);
  process.stderr.write(err);
  return code === 0;
}

const passed = await Promise.all(steps.map(passes));
process.exitCode = passed.every(Boolean) ? 0 : 1;
