#!/usr/bin/env node
import { useCodeCache } from "../start/code-cache.ts";

// `head` and `less` close the pipe when they have read enough. That is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

useCodeCache();
const [name, ...rest] = process.argv.slice(2);
const { status, out, err } = await run();
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = status;

/** Each command loads what it needs: most runs check one file and ask no network. */
async function run() {
  if (name === "new") return (await import("./new-rule.ts")).draftRuleFile(rest);
  if (name === "verify-sources") return (await import("./verify-sources.ts")).runVerifySources(rest);
  const { runCommand } = await import("../lint/command.ts");
  return runCommand(process.argv.slice(2), process.stdout.isTTY === true && process.stdout.hasColors());
}
