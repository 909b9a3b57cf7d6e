#!/usr/bin/env node
import { runCommand } from "../lint/command.ts";
import { draftRuleFile } from "./new-rule.ts";

// `head` and `less` close the pipe when they have read enough. That is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const [name, ...rest] = process.argv.slice(2);
const { status, out, err } =
  name === "new"
    ? await draftRuleFile(rest)
    : runCommand(process.argv.slice(2), process.stdout.isTTY === true && process.stdout.hasColors());
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = status;
