// A server that charges, in a process of its own, for tests that kill it. It kills itself by SIGKILL at the given moment. It prints its URL
// when it listens.
import type { Parts } from "../../src/serve/access/parts.ts";
import { type MeteredServerOptions, openMeteredServer } from "./metered-server.ts";
import { caseFileOf } from "./sample.ts";

export interface MeteredProcessOptions
  extends Pick<MeteredServerOptions, "rpcUrl" | "gasKey" | "facilitator" | "ledger" | "settings"> {
  /** One of {@link deathPoints}, or none. */
  dieAt?: string;
}

const { dieAt, ...options }: MeteredProcessOptions = JSON.parse(process.argv[2] as string);
watchRpc();
const server = await openMeteredServer({
  ...options,
  change: (parts) => ({
    ...parts,
    ledger: deadly("ledger", parts.ledger),
    facilitator: deadly("facilitator", parts.facilitator),
    chain: deadly("chain", parts.chain),
  }),
  gather: async (hash) => {
    passBy("work:before");
    const caseFile = caseFileOf(hash);
    passBy("work:after");
    return caseFile;
  },
});
server.app.server.prependListener("request", (_request, response) => {
  const end = response.end;
  response.end = ((...args: Parameters<typeof end>) => {
    if (response.statusCode === 200) passBy("reply:before");
    return Reflect.apply(end, response, args);
  }) as typeof end;
});
console.log(server.url);

function passBy(point: string): void {
  if (point === dieAt) process.kill(process.pid, "SIGKILL");
}

/** The process can die before and after every call of every method. */
function deadly<T extends Parts["ledger"] | Parts["facilitator"] | Parts["chain"]>(name: string, part: T): T {
  return new Proxy(part, {
    get(target, key, receiver) {
      const method: unknown = Reflect.get(target, key, receiver);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        passBy(`${name}.${String(key)}:before`);
        const result = await Reflect.apply(method, target, args);
        passBy(`${name}.${String(key)}:after`);
        return result;
      };
    },
  });
}

/** The process can also die before a transaction is sent, and after the node has it. */
function watchRpc(): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const sends = String(init?.body).includes("eth_sendRawTransaction");
    if (sends) passBy("broadcast:before");
    const response = await real(input, init);
    if (sends) passBy("broadcast:after");
    return response;
  };
}
