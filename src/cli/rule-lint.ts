#!/usr/bin/env node
import { runCommand } from "../lint/command.ts";
import { draftRuleFile } from "./new-rule.ts";

// A reader that has seen enough (head, less) closes the pipe: no failure of ours.
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
