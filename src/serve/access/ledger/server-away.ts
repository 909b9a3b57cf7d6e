/**
 * Whether a ledger could not be opened because its server does not answer now, or is read-only as during a failover, so that waiting may
 * help. A wrong password, a missing database or a folder that cannot be written to will not change by waiting.
 */
export function isServerAway(error: unknown): boolean {
  return listCauses(error).some(({ code, message }) =>
    code === undefined ? lostConnection.test(message) : awayCodes.has(code) || serverAway.test(code),
  );
}

interface Failed {
  code: string | undefined;
  message: string;
}

/** An error with all its causes, including those of joined errors (one for each address of a host name). */
function listCauses(error: unknown): Failed[] {
  if (!(error instanceof Error)) return [];
  const { code, errors = [] } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  return [{ code, message: error.message }, ...listCauses(error.cause), ...errors.flatMap(listCauses)];
}

/** What the driver says without a code. */
const lostConnection = /timeout|connection terminated/i;
const awayCodes: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
]);
/** PostgreSQL's error codes: connection exceptions, a server that only reads, insufficient resources, operator intervention. */
const serverAway = /^(?:08...|25006|53...|57...)$/;
