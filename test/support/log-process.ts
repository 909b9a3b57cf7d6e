// A process that logs, for the tests of readers that leave or stand still. It writes so many lines of 1,000 bytes to stderr, one
// in each turn of the event loop, and says on stdout how many were dropped. Arguments: lines, bytes that may wait.
import { setImmediate as nextTurn } from "node:timers/promises";
import { createLogger } from "../../src/kernel/logger.ts";
import { createLogOutput } from "../../src/start/log-output.ts";

const [lines = 0, waitingBytesMax = 0] = process.argv.slice(2).map(Number);
const output = createLogOutput(process.stderr, waitingBytesMax);
const log = createLogger("info", output.write);
console.log("ready");
process.stdin.on("data", async () => {
  for (let line = 0; line < lines; line++) {
    log.info({ event: "x".repeat(940) });
    await nextTurn();
  }
  console.log(output.dropped());
});
