import { describeCause, type Logger } from "../../kernel/logger.ts";

/** How many errors were caught here since the start. */
export interface Caught {
  rejections: number;
  exceptions: number;
}

/**
 * Handles errors that nobody caught, and logs all of them. After a rejected promise the service continues: it ended one request or one
 * round of background work. It also continues after an exception about a broken connection, which is an outage of another system. Any other
 * exception leaves an unknown state: the service stops as on SIGTERM, with exit status 1, so that its supervisor restarts it.
 */
export function catchTheRest({ log, stop }: { log: Logger; stop: () => void }): Caught {
  const caught: Caught = { rejections: 0, exceptions: 0 };
  process.on("unhandledRejection", (reason) => {
    caught.rejections++;
    log.error({ event: "unhandled_rejection", cause: describeCause(reason) });
  });
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    caught.exceptions++;
    const goesOn = isLostConnection(error);
    log.error({ event: "uncaught_exception", goes_on: goesOn, cause: describeCause(error) });
    if (!goesOn) stop();
  });
  return caught;
}

/** Whether an error is about a connection that broke or was never made. */
export function isLostConnection(error: NodeJS.ErrnoException | undefined): boolean {
  return connectionCodes.has(String(error?.code));
}

/** Codes of Node.js for connections, and codes of PostgreSQL for a server that ends them (class 57: operator intervention). */
const connectionCodes: ReadonlySet<string> = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "UND_ERR_SOCKET", "57P01", "57P02", "57P03"],
]);
