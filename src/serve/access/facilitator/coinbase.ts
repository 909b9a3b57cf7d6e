import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import type { FacilitatorClient } from "@x402/core/server";
import { SignJWT } from "jose";
import { openRemoteFacilitator } from "./remote.ts";

/** A token per request. */
export function openCdpFacilitator({ url, ...ours }: CdpKey & { url: string }): FacilitatorClient {
  const { host, pathname } = new URL(url);
  const tokenFor = (method: string, path: string) =>
    signCdpToken({ ...ours, method, host, path: `${pathname}/${path}` });
  return openRemoteFacilitator({
    url,
    headersFor: async (method, path) => ({ authorization: `Bearer ${await tokenFor(method, path)}` }),
  });
}

interface CdpKey {
  keyId: string;
  /** base64 of Ed25519 seed and public key (64 bytes), or EC P-256 PEM. */
  keySecret: string;
}

export interface CdpRequest extends CdpKey {
  method: string;
  host: string;
  path: string;
}

/**
 * JWT (RFC 7519) for method, host and path, two minutes. https://docs.cdp.coinbase.com/api-reference/v2/authentication. `now`: ms. Rejects
 * for a bad key.
 */
export async function signCdpToken(request: CdpRequest, now = Date.now()): Promise<string> {
  const { keyId, keySecret, method, host, path } = request;
  const { algorithm, key } = readCdpKey(keySecret);
  const issued = Math.floor(now / 1000);
  const claims = {
    sub: keyId,
    iss: "cdp",
    uris: [`${method} ${host}${path}`],
    iat: issued,
    nbf: issued,
    exp: issued + 120,
  };
  const header = { alg: algorithm, kid: keyId, typ: "JWT", nonce: randomBytes(16).toString("hex") };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

/** Throws for neither form. */
export function readCdpKey(secret: string): { algorithm: "EdDSA" | "ES256"; key: KeyObject } {
  try {
    if (secret.includes("-----BEGIN")) {
      // Environment files often escape line breaks.
      return { algorithm: "ES256", key: createPrivateKey(secret.replaceAll("\\n", "\n")) };
    }
    const bytes = Buffer.from(secret, "base64");
    if (bytes.length === 64) return { algorithm: "EdDSA", key: readEdwardsKey(bytes) };
  } catch {
    // OpenSSL's message helps nobody.
  }
  throw new Error("expected base64 of 64 bytes or a PEM key.");
}

/** From seed and public key. */
function readEdwardsKey(bytes: Buffer): KeyObject {
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((part) => part.toString("base64url"));
  return createPrivateKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", d: d as string, x: x as string } });
}
