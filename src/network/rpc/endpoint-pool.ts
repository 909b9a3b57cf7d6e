import { createEndpoint, type Endpoint, type EndpointOptions } from "./endpoint.ts";

/** The endpoints of one chain. */
export type EndpointPool = ReturnType<typeof createEndpointPool>;

/** Makes one client for each URL; nothing is sent. */
export function createEndpointPool(urls: readonly string[], options: EndpointOptions) {
  return poolOf(urls.map((url) => createEndpoint(url, options)));
}

/** These endpoints and no others. */
export function poolOf(endpoints: readonly Endpoint[]) {
  /** Whom to ask, in the configured order. Those that failed a moment ago come last, those of another chain not at all. */
  function order(): Endpoint[] {
    const usable = endpoints.filter(({ health }) => !health.rests("chain"));
    return [...usable.filter(({ health }) => !health.rests()), ...usable.filter(({ health }) => health.rests())];
  }

  return {
    endpoints,
    order,
    /** Whether an endpoint is known to answer. Asks nobody. */
    isOnline: () => endpoints.some((endpoint) => endpoint.isWell()),
    /**
     * The failover: asks one endpoint after the other, until one gives a value; undefined when none does. `again` asks the same
     * endpoint once more after the others. `first` is asked before all others.
     */
    async tryEach<T extends object>(
      ask: (endpoint: Endpoint) => Promise<T | "again" | undefined>,
      signal: AbortSignal,
      first?: Endpoint,
    ): Promise<T | undefined> {
      const queue = first === undefined ? order() : [...new Set([first, ...order()])];
      for (const endpoint of queue) {
        if (signal.aborted) return undefined;
        const answer = await ask(endpoint);
        if (answer === "again") queue.push(endpoint);
        else if (answer !== undefined) return answer;
      }
      return undefined;
    },
  };
}
