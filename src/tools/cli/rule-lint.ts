#!/usr/bin/env node
import { useCodeCache } from "../../serve/start/runtime.js";
import { asksForHelp } from "../terminal/command-table.ts";
import { watchOutput } from "./output.ts";
import { openProgress, progressText } from "./progress.ts";

watchOutput("rule-lint");
useCodeCache();
const args = process.argv.slice(2);
// Help comes from the table of commands, so it needs no command.
const [name, ...rest] = asksForHelp(args) ? [] : args;
const { status, out, err } = await run();
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = status;

/** Each command loads only its code: most runs check one file and ask no endpoint. */
async function run() {
  if (name === "new")
    return (await import("./new-rule.ts")).draftRuleFile(rest, (line) => process.stderr.write(`rule-lint: ${line}\n`));
  if (name === "verify-sources") return (await import("./verify-sources.ts")).runVerifySources(rest);
  const colour = process.stdout.isTTY === true && process.stdout.hasColors();
  if (args.includes("--watch") && !asksForHelp(args)) return watchUntilStopped(args, colour);
  const progress = openProgress(process.stderr);
  const started = Date.now();
  const result = (await import("../lint/command.ts")).runCommand(args, colour, (done, all) => {
    if (all > 1) progress.show(`Checking files: ${progressText({ done, all, ms: Date.now() - started })}`);
  });
  progress.clear();
  return result;
}

/** Until SIGINT or SIGTERM, which is no failure. */
async function watchUntilStopped(args: readonly string[], colour: boolean) {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const out = (text: string) => void process.stdout.write(text);
  const err = (text: string) => void process.stderr.write(text);
  const { watchRules } = await import("../lint/watch.ts");
  return { status: await watchRules(args, { out, err, colour, ended: stop.signal }), out: "", err: "" };
}
