import { type FacilitatorClient, HTTPFacilitatorClient } from "@x402/core/server";
import { signCdpToken } from "./cdp-token.ts";

/** A facilitator at this URL. */
export function openHttpFacilitator(url: string): FacilitatorClient {
  return new HTTPFacilitatorClient({ url, timeoutMs });
}

/** Coinbase's facilitator. Each request has its own token. */
export function openCdpFacilitator(options: { url: string; keyId: string; keySecret: string }): FacilitatorClient {
  const { url, keyId, keySecret } = options;
  const { host, pathname } = new URL(url);
  const headers = async (method: string, path: string) => ({
    Authorization: `Bearer ${await signCdpToken({ keyId, keySecret, method, host, path: `${pathname}/${path}` })}`,
  });
  return new HTTPFacilitatorClient({
    url,
    timeoutMs,
    createAuthHeaders: async () => ({
      verify: await headers("POST", "verify"),
      settle: await headers("POST", "settle"),
      supported: await headers("GET", "supported"),
    }),
  });
}

/** For one request. Settling waits for a block. */
const timeoutMs = 30_000;
