import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, openMeteredServer } from "../../support/metered-server.ts";
import { startRelay } from "../../support/rpc-relay.ts";

/** A chain, a relay in front of it that a test can disturb, and a server that pays for gas itself. */
export interface RelayedWorld {
  chain: TestChain;
  relay: Awaited<ReturnType<typeof startRelay>>;
  gasKey: Hex;
  server: MeteredServer;
}

/** Prepares the tests of one `describe` block. The chain stays; each test has its own server and key. Nothing is free. */
export function useRelayedServer(options: Pick<Parameters<typeof openMeteredServer>[0], "beatMs" | "resendMs">) {
  const world = {} as RelayedWorld;
  beforeAll(async () => {
    world.chain = await startChain();
    world.relay = await startRelay(world.chain.url);
  });
  beforeEach(async () => {
    world.gasKey = await world.chain.createGasKey();
    const { relay, gasKey } = world;
    world.server = await openMeteredServer({
      ...{ rpcUrl: relay.url, gasKey, settings: { freeCallsPerDay: 0 } },
      ...options,
    });
  });
  afterEach(async () => {
    world.relay.meddleWith(null);
    await world.chain.control.setAutomine(true);
    await world.chain.control.mine({ blocks: 1 });
    await world.server.close();
  });
  afterAll(async () => {
    await world.relay?.stop();
    await world.chain?.stop();
  });
  return world;
}
