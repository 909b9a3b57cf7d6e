import { createPrivateKey, type KeyObject, randomBytes, sign } from "node:crypto";

export interface CdpRequest {
  keyId: string;
  /** base64 of an Ed25519 seed and public key (64 bytes), or an EC P-256 key in PEM. */
  keySecret: string;
  method: string;
  host: string;
  path: string;
}

/**
 * The bearer token of one request to Coinbase's platform: a JWT (RFC 7519) for this method, host and path, good for two minutes.
 * https://docs.cdp.coinbase.com/api-reference/v2/authentication. Throws when the secret is no key.
 */
export function signCdpToken({ keyId, keySecret, method, host, path }: CdpRequest, now = Date.now()): string {
  const { algorithm, key } = readCdpKey(keySecret);
  const issued = Math.floor(now / 1000);
  const header = { alg: algorithm, kid: keyId, typ: "JWT", nonce: randomBytes(16).toString("hex") };
  const claims = {
    sub: keyId,
    iss: "cdp",
    uris: [`${method} ${host}${path}`],
    iat: issued,
    nbf: issued,
    exp: issued + 120,
  };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  // JWS wants r and s side by side (RFC 7518 section 3.4), where Node's default for EC is DER.
  const signature =
    algorithm === "EdDSA"
      ? sign(null, Buffer.from(text), key)
      : sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

/** Reads an API secret in either of its two forms. Throws when it is neither. */
export function readCdpKey(secret: string): { algorithm: "EdDSA" | "ES256"; key: KeyObject } {
  if (secret.includes("-----BEGIN")) {
    // Environment files often hold the line ends as backslash and n.
    return { algorithm: "ES256", key: createPrivateKey(secret.replaceAll("\\n", "\n")) };
  }
  const bytes = Buffer.from(secret, "base64");
  if (bytes.length !== 64) throw new Error("expected base64 of 64 bytes or a PEM key.");
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((part) => part.toString("base64url"));
  const key = createPrivateKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", d: d as string, x: x as string } });
  return { algorithm: "EdDSA", key };
}
