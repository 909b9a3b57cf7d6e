import type { EndpointHealth, TroubleReason } from "./endpoint-health.ts";

/** As `fetch`, but notes the reason in `health`, also of a later failure. */
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

/** For a useless response. */
export function reasonOfStatus(status: number): TroubleReason {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "busy";
  return status >= 500 ? "server_error" : "garbage";
}

/** undefined: the caller gave up. Node.js has a code in the error or its causes. */
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
