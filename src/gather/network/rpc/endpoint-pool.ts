import { createEndpoint, type Endpoint, type EndpointOptions } from "./endpoint.ts";

/** The endpoints of one chain. */
export type EndpointPool = ReturnType<typeof createEndpointPool>;

/** Makes one client for each URL; nothing is sent. */
export function createEndpointPool(urls: readonly string[], options: EndpointOptions) {
  return poolOf(urls.map((url) => createEndpoint(url, options)));
}

/** Makes a pool of these endpoints. */
export function poolOf(endpoints: readonly Endpoint[]) {
  /**
   * Endpoints in the order in which they are asked: as configured, with those that failed or contradicted themselves a moment ago at the
   * end. Those of another chain are left out.
   */
  function inOrder(): Endpoint[] {
    const usable = endpoints.filter(({ health }) => !health.rests("chain"));
    const isLast = ({ health }: Endpoint) => health.rests() || health.rests("records");
    return [...usable.filter((endpoint) => !isLast(endpoint)), ...usable.filter(isLast)];
  }

  return {
    endpoints,
    inOrder,
    /** Whether an endpoint is known to answer. Sends nothing. */
    isOnline: () => endpoints.some((endpoint) => endpoint.isWell()),
    /**
     * The failover: asks one endpoint after the other until one gives a value; undefined when none does. `first` is asked before all
     * others. An endpoint for which `ask` gives `again` is asked once more after the others.
     */
    async tryEach<T extends object>(
      ask: (endpoint: Endpoint) => Promise<T | "again" | undefined>,
      signal: AbortSignal,
      first?: Endpoint,
    ): Promise<T | undefined> {
      const queue = first === undefined ? inOrder() : [...new Set([first, ...inOrder()])];
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
