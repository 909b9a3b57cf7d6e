import type { FastifyInstance } from "fastify";

export interface StopOptions {
  /** How long requests in flight may take to finish. */
  graceMs: number;
  /** Called when everything is closed. `clean` is false if requests were cut off. */
  stopped: (clean: boolean) => void;
}

/**
 * Stops on SIGTERM or SIGINT: accepts no new connections, closes idle ones, lets running requests finish within the grace time, and
 * cuts off the rest. A second signal cuts off at once.
 */
export function stopOnSignal(app: FastifyInstance, { graceMs, stopped }: StopOptions): void {
  let clean = true;
  const cutOff = () => {
    clean = false;
    app.server.closeAllConnections();
  };
  const stop = () => {
    for (const signal of signals) process.removeListener(signal, stop).once(signal, cutOff);
    setTimeout(cutOff, graceMs).unref();
    // A connection becomes idle after its last response. Node looks for idle ones only from time to time.
    setInterval(() => app.server.closeIdleConnections(), 50).unref();
    void app.close().then(() => stopped(clean));
  };
  for (const signal of signals) process.on(signal, stop);
}

const signals = ["SIGTERM", "SIGINT"] as const;
