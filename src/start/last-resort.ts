import { describeCause, type Logger } from "../kernel/logger.ts";

/** How often something was caught here since the start. */
export interface Caught {
  rejections: number;
  exceptions: number;
}

/**
 * The one place for what nobody caught. All of it is logged. A rejected promise ended one request or one round of background work,
 * and a broken connection that nobody listened to is an outage of somebody else: the service goes on. Any other exception leaves an
 * unknown state behind: the service stops as on SIGTERM, with exit status 1, so that its supervisor starts it anew.
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

/** Codes of Node.js for connections, and of PostgreSQL for a server that ends them (class 57: operator intervention). */
const connectionCodes: ReadonlySet<string> = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "UND_ERR_SOCKET", "57P01", "57P02", "57P03"],
]);
