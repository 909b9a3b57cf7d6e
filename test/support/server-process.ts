// A server in its own process, for the tests of stopping. Every explanation waits for a line on stdin.
import { createInterface } from "node:readline";
import { stopOnSignal } from "../../src/http/lifecycle.ts";
import { caseFileOf } from "./sample.ts";
import { openServer } from "./server.ts";

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const graceMs = Number(process.argv[2]);

const { app } = openServer({
  gather: async (hash) => {
    console.log("gathering");
    await lines.next();
    return caseFileOf(hash);
  },
});
stopOnSignal(app, {
  graceMs,
  stopped: (clean) => {
    console.log(clean ? "clean" : "cut off");
    process.exit(0);
  },
});
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
