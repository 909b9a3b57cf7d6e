/**
 * Calls `then` right after a short turn of the event loop in which no connection came, or after `until` (performance.now()). Whoever
 * connects after the input of a turn was read is lost when the server stops listening, and so is a request on a connection that is
 * closed as idle. So a long turn would lose what came meanwhile. Each turn takes only one of the connections that wait.
 */
export function afterQuietTurn(connections: { readonly arrived: number }, until: number, then: () => void): void {
  const look = (before: number, since: number) => {
    const [arrived, now] = [connections.arrived, performance.now()];
    if (now > until || (arrived === before && now - since < quietTurnMs)) then();
    else setImmediate(look, arrived, now);
  };
  setImmediate(look, Number.NaN, 0);
}

/** Milliseconds. A turn that finds nothing to do takes a tenth of it. */
const quietTurnMs = 0.2;
