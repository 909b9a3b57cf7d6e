import type { FastifyInstance } from "fastify";
import type { Connections } from "./connections.ts";
import { afterQuietTurn } from "./quiet-turn.ts";

export interface StopOptions {
  connections: Connections;
  /** Still accepts connections, so that proxies notice. */
  delayMs: number;
  /** From signal to end, delay included. */
  drainMs: number;
  /** Shortly before the time is up. */
  hurry: () => void;
  /** `clean` false: requests were cut off. */
  stopped: (clean: boolean) => void;
}

/**
 * On SIGTERM or SIGINT each response closes its connection and readiness fails, but new connections are still accepted. After the delay
 * none are; idle ones close, streams end, running requests may finish, the rest gets 503. SIGINT (a person) has no delay; a second signal
 * cuts off. Returns the handler.
 */
export function stopOnSignal(app: FastifyInstance, options: StopOptions): () => void {
  const { connections, delayMs, drainMs } = options;
  let clean = true;
  let stopping = false;
  let closing = false;
  let hurryAt = Number.POSITIVE_INFINITY;
  const closeIdle = () => {
    app.server.closeIdleConnections();
    connections.closeSilent();
    setTimeout(closeIdleSoon, idleMs).unref();
  };
  const closeIdleSoon = () => afterQuietTurn(connections, hurryAt, closeIdle);
  const close = () => {
    if (closing) return;
    closing = true;
    // `app.close()` does other things first.
    const closed = new Promise<void>((resolve) => app.server.close(() => resolve()));
    // Node.js looks for idle ones only now and then.
    setTimeout(closeIdleSoon, idleMs).unref();
    void Promise.all([closed, app.close()]).then(() => options.stopped(clean));
  };
  // Node.js closes idle ones before it stops listening; so that takes no time.
  const closeInTwoSteps = () => {
    app.server.closeIdleConnections();
    afterQuietTurn(connections, hurryAt, close);
  };
  const cutOff = () => {
    if (connections.refuseWaiting() > 0 || connections.counts().open > 0) clean = false;
    // So that the refusals are sent.
    setTimeout(() => app.server.closeAllConnections(), flushMs);
    close();
  };
  const stop = (signal?: NodeJS.Signals) => {
    if (stopping) return cutOff();
    stopping = true;
    connections.drain();
    const calmMs = Math.max(0, drainMs - hurryMs);
    hurryAt = performance.now() + calmMs;
    setTimeout(options.hurry, calmMs).unref();
    setTimeout(cutOff, Math.max(0, drainMs - cutOffMs)).unref();
    const wait = signal === "SIGINT" ? 0 : Math.min(delayMs, calmMs);
    setTimeout(() => afterQuietTurn(connections, hurryAt, closeInTwoSteps), wait);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  return stop;
}

/** Between searches for idle ones. */
const idleMs = 50;
/** Ms before the end: `hurryMs` asks to end, `cutOffMs` cuts, so that the ledger closes in time. */
const hurryMs = 1_500;
const cutOffMs = 700;
/** For sending the last responses. */
const flushMs = 100;
