import { unlessAborted } from "../kernel/abort.ts";
import { ServiceError } from "../kernel/error.ts";
import { overloaded } from "./work-queue.ts";

/** The cause of a failure that nobody reads, because the caller went away. */
export class CallerGone extends Error {}

interface Flight<T> {
  result: Promise<T>;
  callers: number;
  ended: AbortController;
}

/** Runs that several callers of one key share. `callersMax`: how many callers may wait in all runs together. */
export function createFlights<K, T>({ callersMax }: { callersMax: number }) {
  const flights = new Map<K, Flight<T>>();
  let callers = 0;

  function takeOff(key: K, run: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const ended = new AbortController();
    const flight: Flight<T> = { result: run(ended.signal), callers: 0, ended };
    flights.set(key, flight);
    return flight;
  }

  function leave(key: K, flight: Flight<T>): void {
    callers--;
    if (--flight.callers > 0) return;
    if (flights.get(key) === flight) flights.delete(key);
    flight.ended.abort();
  }

  return {
    /**
     * Waits for the run of this key, and starts one if there is none. `signal` ends the wait of this caller only. When the last caller has
     * gone, the run's own signal fires. Rejects with ServiceError `overloaded` when too many callers wait, otherwise as the run does.
     */
    async join(key: K, run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted) throw gone();
      if (callers >= callersMax) throw overloaded();
      const flight = flights.get(key) ?? takeOff(key, run);
      flight.callers++;
      callers++;
      try {
        return await unlessAborted(flight.result, signal, () => {
          throw gone();
        });
      } finally {
        leave(key, flight);
      }
    },
    /** Ends all runs with `upstream_unavailable`. */
    close(): void {
      const closed = new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5 });
      for (const { ended } of flights.values()) ended.abort(closed);
    },
  };
}

function gone(): ServiceError {
  return new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5, cause: new CallerGone() });
}
