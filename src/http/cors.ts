/** Lets pages of any origin read what a paying client needs; there are no cookies that could be misused. */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-SVC-Pass-Remaining, X-SVC-Pass-Status, X-Ruleset, ETag",
} as const;

/** What such a page may send. */
export const preflightHeaders = {
  "access-control-allow-headers":
    "Content-Type, Accept, If-None-Match, PAYMENT-SIGNATURE, X-SVC-Pass, MCP-Protocol-Version",
  "access-control-max-age": "86400",
} as const;
