import type { FastifyInstance } from "fastify";

export interface StopOptions {
  /** How long requests in flight may take to finish. */
  graceMs: number;
  /** Called once everything is closed; `clean` is false when requests had to be cut off. */
  stopped: (clean: boolean) => void;
}

/**
 * Stops on SIGTERM or SIGINT: no new connections, idle ones are closed, requests in flight finish within the grace time and
 * what is left is cut off. A second signal cuts off at once.
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
    // A connection becomes idle when its last answer is out; Node looks for such ones only now and then.
    setInterval(() => app.server.closeIdleConnections(), 50).unref();
    void app.close().then(() => stopped(clean));
  };
  for (const signal of signals) process.on(signal, stop);
}

const signals = ["SIGTERM", "SIGINT"] as const;
