// A process in which an error happens that nothing catches. Argument: the kind of error. It prints its log, and "alive" if it goes on
// running.
import { EventEmitter } from "node:events";
import { createLogger } from "../../src/kernel/logger.ts";
import { catchTheRest } from "../../src/serve/start/last-resort.ts";

const log = createLogger("info", (line) => process.stdout.write(line));
const caught = catchTheRest({ log, stop: () => process.exit(1) });
const wrong: Record<string, () => unknown> = {
  rejection: () => Promise.reject(new Error("lost at https://rpc.example/v2/key-1234")),
  exception: () => {
    throw new TypeError("broken");
  },
  nothing: () => {
    throw undefined;
  },
  connection: () => new EventEmitter().emit("error", Object.assign(new Error("reset"), { code: "ECONNRESET" })),
};
setImmediate(() => wrong[process.argv[2] as string]?.());
setImmediate(() => setImmediate(() => console.log(JSON.stringify({ event: "alive", ...caught }))));
