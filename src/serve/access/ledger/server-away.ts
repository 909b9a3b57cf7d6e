/** Silent or read-only (failover): waiting may help. A wrong password, missing database or read-only folder stays. */
export function isServerAway(error: unknown): boolean {
  return listCauses(error).some(({ code, message }) =>
    code === undefined ? lostConnection.test(message) : awayCodes.has(code) || serverAway.test(code),
  );
}

interface Failed {
  code: string | undefined;
  message: string;
}

/** Joined errors too: one for each address of a host. */
function listCauses(error: unknown): Failed[] {
  if (!(error instanceof Error)) return [];
  const { code, errors = [] } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  return [{ code, message: error.message }, ...listCauses(error.cause), ...errors.flatMap(listCauses)];
}

/** The driver, without a code. */
const lostConnection = /timeout|connection terminated/i;
const awayCodes: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
]);
/** PostgreSQL: connection exceptions, read-only, insufficient resources, operator intervention. */
const serverAway = /^(?:08...|25006|53...|57...)$/;
