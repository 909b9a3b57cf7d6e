/**
 * Calls `then` after a short turn of the event loop in which no connection came, or after the time `until` (performance.now()). When the
 * server stops listening, connections that arrived after a turn read its input are lost. When idle connections are closed, a request that
 * just arrived on one is lost. A short turn makes this unlikely. Each turn accepts only one of the waiting connections.
 */
export function afterQuietTurn(connections: { readonly arrived: number }, until: number, then: () => void): void {
  const look = (before: number, since: number) => {
    const [arrived, now] = [connections.arrived, performance.now()];
    if (now > until || (arrived === before && now - since < quietTurnMs)) then();
    else setImmediate(look, arrived, now);
  };
  setImmediate(look, Number.NaN, 0);
}

/** Milliseconds. A turn with nothing to do takes a tenth of this. */
const quietTurnMs = 0.2;
