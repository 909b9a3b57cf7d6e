// A process in which something goes wrong that nobody catches. Argument: what. It prints its log, and "alive" when it goes on.
import { EventEmitter } from "node:events";
import { createLogger } from "../../src/kernel/logger.ts";
import { catchTheRest } from "../../src/start/last-resort.ts";

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
