/**
 * Whether a ledger could not be opened because its server does not answer now, or only reads as in a failover, so that waiting may
 * help. A wrong password, a database that does not exist or a folder that cannot be written to stay wrong.
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

/** An error, its causes, and what they join (one for each address of a name). */
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
