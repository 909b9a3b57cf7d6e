/** Any origin: there are no cookies to misuse. */
export const anyOriginHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-SVC-Credit, X-SVC-Pass-Remaining, X-SVC-Pass-Status, X-Ruleset, X-Txgloss-Source, ETag",
} as const;

/** Without the methods. */
export const anyOriginPreflightHeaders = {
  "access-control-allow-headers":
    "Content-Type, Accept, If-None-Match, PAYMENT-SIGNATURE, X-SVC-Pass, X-SVC-Claim, X-SVC-Claim-Key, X-SVC-Claim-Secret, MCP-Protocol-Version",
  "access-control-max-age": "86400",
} as const;

export function oneOriginHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-SVC-Pass-Remaining, X-SVC-Pass-Status",
    vary: "Origin",
  };
}

export const oneOriginPreflightHeaders = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, PAYMENT-SIGNATURE, X-SVC-Pass, X-SVC-Claim, X-SVC-Claim-Key, X-SVC-Claim-Secret",
  "access-control-max-age": "86400",
} as const;

export interface PagePolicy {
  /** Headers of every response. */
  readonly always: Readonly<Record<string, string>>;
  /** With `always`. */
  headersFor(origin: string | undefined): Readonly<Record<string, string>>;
}

/** `*`: any. */
export function allowPages(origins: readonly string[]): PagePolicy {
  if (origins.includes("*")) {
    // Only pages get the list of readable headers, because Node.js needs as long to check this long text as for a free call.
    const { "access-control-expose-headers": _, ...always } = anyOriginHeaders;
    return { always, headersFor: (origin) => (origin === undefined ? always : anyOriginHeaders) };
  }
  if (origins.length === 0) return { always: {}, headersFor: () => ({}) };
  const listed = new Set(origins);
  const always = { vary: "Origin" };
  const exposed = anyOriginHeaders["access-control-expose-headers"];
  return {
    always,
    headersFor: (origin) =>
      origin !== undefined && listed.has(origin)
        ? { ...always, "access-control-allow-origin": origin, "access-control-expose-headers": exposed }
        : always,
  };
}
