/** A page of any origin may call the paid paths and read their headers. There are no cookies that it could misuse. */
export const anyOriginHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-SVC-Credit, X-SVC-Pass-Remaining, X-SVC-Pass-Status, X-Ruleset, X-Txgloss-Source, ETag",
} as const;

/** What the preflight request of such a page is told, beside the methods. */
export const anyOriginPreflightHeaders = {
  "access-control-allow-headers":
    "Content-Type, Accept, If-None-Match, PAYMENT-SIGNATURE, X-SVC-Pass, X-SVC-Claim, MCP-Protocol-Version",
  "access-control-max-age": "86400",
} as const;

/** Only pages of this origin may read the response. */
export function oneOriginHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-SVC-Pass-Remaining, X-SVC-Pass-Status",
    vary: "Origin",
  };
}

/** What the preflight request of such a page is told. */
export const oneOriginPreflightHeaders = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, PAYMENT-SIGNATURE, X-SVC-Pass, X-SVC-Claim",
  "access-control-max-age": "86400",
} as const;

/** Which web pages may read responses. */
export interface PagePolicy {
  /** Headers of every response. */
  readonly always: Readonly<Record<string, string>>;
  /** The headers for a page of this origin, those of every response included. */
  headersFor(origin: string | undefined): Readonly<Record<string, string>>;
}

/** Pages of these origins may read; of any where the list has `*`. */
export function allowPages(origins: readonly string[]): PagePolicy {
  if (origins.includes("*")) {
    // Which headers a page may read is told to pages only: looking through that long text costs Node.js as much as a free call.
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
