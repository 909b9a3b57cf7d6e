// A server in its own process, for tests that stop it. Every explanation waits for a line on stdin. Arguments: the drain time and the delay
// before it, both in milliseconds.
import { createInterface } from "node:readline";
import { Connections } from "../../src/serve/http/connections.ts";
import { stopOnSignal } from "../../src/serve/http/lifecycle.ts";
import { caseFileOf } from "./sample.ts";
import { openServer } from "./server.ts";

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const [drainMs = 0, delayMs = 0] = process.argv.slice(2).map(Number);

const connections = new Connections();
const { app } = openServer({
  connections,
  gather: async (hash) => {
    console.log("gathering");
    await lines.next();
    return caseFileOf(hash);
  },
});
stopOnSignal(app, {
  connections,
  drainMs,
  delayMs,
  hurry: () => console.log("hurry"),
  stopped: (clean) => {
    console.log(clean ? "clean" : "cut off");
    process.exit(0);
  },
});
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
