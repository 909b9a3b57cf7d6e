import { ServiceError } from "../../../src/kernel/error.ts";
import type { PaymentSettings } from "../../../src/serve/settings/payment-settings.ts";
import { startChain } from "../../support/anvil.ts";
import { both } from "../../support/mcp-message.ts";
import { type MeteredServerOptions, openMeteredServer } from "../../support/metered-server.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";

/** Whether this is a price as x402 wants it. */
export const isChallenge = compileSchema("payment-required");
/** Of no transaction. */
export const unknownHash = hashOf(0xdead);

export type PaidServer = Awaited<ReturnType<typeof startPaidServer>>;

/** A chain, and a server on it that charges for each call. */
export async function startPaidServer(options: Partial<MeteredServerOptions> = {}) {
  const chain = await startChain();
  const gasKey = await chain.createGasKey();
  const gather = async (hash: ReturnType<typeof hashOf>) => {
    if (hash === unknownHash) throw new ServiceError("transaction_not_found");
    return caseFileOf(hash);
  };
  const open = (settings: Partial<PaymentSettings>, options: Partial<MeteredServerOptions> = {}) =>
    openMeteredServer({
      rpcUrl: chain.url,
      gasKey,
      gather,
      settings: { freeCallsPerDay: 0, passCalls: 2, ...settings },
      ...options,
    });
  const server = await open({}, options);

  /** POST /mcp as a program sends it that knows JSON-RPC but not MCP. */
  function post(
    message: unknown,
    headers: Record<string, string> = {},
    { by = fetch, at = server } = {},
  ): Promise<Response> {
    return by(`${at.url}/mcp`, { method: "POST", headers: { ...both, ...headers }, body: JSON.stringify(message) });
  }

  async function stop(): Promise<void> {
    await server.close();
    await chain.stop();
  }
  return { chain, server, open, post, stop };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared by their fields.
export const readAnswer = (response: Response): Promise<any> => response.json();
