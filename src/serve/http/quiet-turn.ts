/**
 * After a short turn of the event loop without connections, or at `until` (performance.now()). Connections that arrive in the turn in which
 * listening stops are lost, and so are requests on idle connections that are closed. A turn accepts one connection.
 */
export function afterQuietTurn(connections: { readonly arrived: number }, until: number, then: () => void): void {
  const look = (before: number, since: number) => {
    const [arrived, now] = [connections.arrived, performance.now()];
    if (now > until || (arrived === before && now - since < quietTurnMs)) then();
    else setImmediate(look, arrived, now);
  };
  setImmediate(look, Number.NaN, 0);
}

/** An empty turn takes a tenth. */
const quietTurnMs = 0.2;
