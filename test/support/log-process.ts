// A process that writes a log, for tests in which the reader of the log leaves or stops reading. It writes the given number of lines of
// 1,000 bytes to stderr, one in each turn of the event loop, and prints on stdout how many were dropped. Arguments: the number of lines,
// and how many bytes may wait.
import { setImmediate as nextTurn } from "node:timers/promises";
import { createLogger } from "../../src/kernel/logger.ts";
import { createLogOutput } from "../../src/serve/start/log-output.ts";

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
