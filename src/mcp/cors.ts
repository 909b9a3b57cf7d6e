import type { FastifyReply } from "fastify";

/** Lets a page of an allowed origin read the answer. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, X-SVC-Pass-Remaining, X-SVC-Pass-Status",
    vary: "Origin",
  };
}

/** Tells a browser what a page of an allowed origin may send; without an origin only the methods. */
export function sendPreflight(reply: FastifyReply, origin: string | undefined): FastifyReply {
  if (origin !== undefined) reply.headers({ ...corsHeaders(origin), ...preflightHeaders });
  return reply.header("allow", "OPTIONS, POST").code(204).send();
}

const preflightHeaders = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, PAYMENT-SIGNATURE, X-SVC-Pass",
  "access-control-max-age": "86400",
};
