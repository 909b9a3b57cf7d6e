import { createEndpoint, type Endpoint, type EndpointOptions } from "./endpoint.ts";

export type EndpointPool = ReturnType<typeof createEndpointPool>;

/** Sends nothing. */
export function createEndpointPool(urls: readonly string[], options: EndpointOptions) {
  return poolOf(urls.map((url) => createEndpoint(url, options)));
}

export function poolOf(endpoints: readonly Endpoint[]) {
  /** As configured; those that failed or contradicted themselves a moment ago last, those of another chain never. */
  function inOrder(): Endpoint[] {
    const usable = endpoints.filter(({ health }) => !health.rests("chain"));
    const isLast = ({ health }: Endpoint) => health.rests() || health.rests("records");
    return [...usable.filter((endpoint) => !isLast(endpoint)), ...usable.filter(isLast)];
  }

  return {
    endpoints,
    inOrder,
    /** Sends nothing. */
    isOnline: () => endpoints.some((endpoint) => endpoint.isWell()),
    /** The first value; undefined: none gave one. `again`: asked once more after the others. */
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
