#!/usr/bin/env node
import { runCommand } from "../lint/command.ts";
import { asksForHelp } from "../terminal/help-text.ts";
import { draftRuleFile } from "./new-rule.ts";
import { runVerifySources } from "./verify-sources.ts";

// `head` and `less` close the pipe when they have read enough. That is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const args = process.argv.slice(2);
const [name, ...rest] = asksForHelp(args) ? [] : args;
const colour = process.stdout.isTTY === true && process.stdout.hasColors();
const { status, out, err } = await (name === "new"
  ? draftRuleFile(rest)
  : name === "verify-sources"
    ? runVerifySources(rest)
    : runCommand(args, colour));
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = status;
