/**
 * After a short turn without connections, or at `until` (performance.now()). A listener that stops loses connections of that turn, closing
 * idle ones loses requests. A turn accepts one connection.
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
