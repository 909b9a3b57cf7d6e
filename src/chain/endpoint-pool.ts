import { createEndpoint, type Endpoint, type EndpointOptions } from "./endpoint.ts";

/** The endpoints of one chain. */
export interface EndpointPool {
  /** Whom to ask, in order: as configured, those that failed of late last, those of another chain not at all. */
  order(): Endpoint[];
}

/** Makes one client per URL; nothing is sent. */
export function createEndpointPool(urls: readonly string[], options: EndpointOptions): EndpointPool {
  const endpoints = urls.map((url) => createEndpoint(url, options));
  return {
    order() {
      const usable = endpoints.filter((endpoint) => !endpoint.knows("wrong chain"));
      return [
        ...usable.filter((endpoint) => !endpoint.knows("cooling")),
        ...usable.filter((endpoint) => endpoint.knows("cooling")),
      ];
    },
  };
}
