import { describeCause, type Logger } from "../../kernel/logger.ts";

/** Since the start. */
export interface Caught {
  rejections: number;
  exceptions: number;
}

/**
 * Logs all. Continues after rejected promises (one request or round) and lost connections. Another exception leaves an unknown state: stops
 * as on SIGTERM, exit status 1, to be restarted.
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

/** Or was never made. */
export function isLostConnection(error: NodeJS.ErrnoException | undefined): boolean {
  return connectionCodes.has(String(error?.code));
}

/** Node.js, and PostgreSQL class 57 (operator intervention). */
const connectionCodes: ReadonlySet<string> = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "UND_ERR_SOCKET", "57P01", "57P02", "57P03"],
]);
