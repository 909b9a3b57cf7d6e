import type { EndpointHealth, TroubleReason } from "./endpoint-health.ts";

/** Like `fetch`, but notes the reason in `health` in case the exchange fails, now or later. Rejects as `fetch` does. */
export async function watchedFetch(
  health: EndpointHealth,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  try {
    const response = await fetch(input, init);
    health.note(reasonOfStatus(response.status));
    return response;
  } catch (error) {
    const reason = reasonOfError(error);
    if (reason !== undefined) health.note(reason);
    throw error;
  }
}

/** The reason for a failure if a response with this HTTP status is of no use. */
export function reasonOfStatus(status: number): TroubleReason {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "busy";
  return status >= 500 ? "server_error" : "garbage";
}

/** Why `fetch` rejected; undefined when the caller gave up. Node.js states it as a code, in the error or in its causes. */
export function reasonOfError(error: unknown): TroubleReason | undefined {
  if (!(error instanceof Error)) return "failing";
  if (error.name === "AbortError") return undefined;
  if (error.name === "TimeoutError") return "timeout";
  const { code, errors = [] } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  const known = codes.find(([pattern]) => code !== undefined && pattern.test(code))?.[1];
  return known ?? reasonOfError(error.cause ?? errors[0] ?? null);
}

const codes: readonly [RegExp, TroubleReason][] = [
  [/^(?:ENOTFOUND|EAI_)/, "dns"],
  [/^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/, "tls"],
  [/^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)/, "timeout"],
  [/^(?:ECONN|EHOST|ENET|EPIPE|UND_ERR_SOCKET)/, "unreachable"],
];
