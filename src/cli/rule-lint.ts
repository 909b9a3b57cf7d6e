#!/usr/bin/env node
import { runCommand } from "../lint/command.ts";

// A reader that has seen enough (head, less) closes the pipe: no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const { status, out, err } = runCommand(
  process.argv.slice(2),
  process.stdout.isTTY === true && process.stdout.hasColors(),
);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = status;
