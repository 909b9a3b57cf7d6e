/** A page of any origin may call the paid paths and read their headers. There are no cookies that it could misuse. */
export const anyOriginHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-SVC-Pass-Remaining, X-SVC-Pass-Status, X-Ruleset, X-Txgloss-Source, ETag",
} as const;

/** What the preflight request of such a page is told, beside the methods. */
export const anyOriginPreflightHeaders = {
  "access-control-allow-headers":
    "Content-Type, Accept, If-None-Match, PAYMENT-SIGNATURE, X-SVC-Pass, MCP-Protocol-Version",
  "access-control-max-age": "86400",
} as const;

/** Only pages of this origin may read the response. */
export function oneOriginHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, X-SVC-Pass-Remaining, X-SVC-Pass-Status",
    vary: "Origin",
  };
}

/** What the preflight request of such a page is told. */
export const oneOriginPreflightHeaders = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, PAYMENT-SIGNATURE, X-SVC-Pass",
  "access-control-max-age": "86400",
} as const;
