import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openCdpFacilitator, readCdpKey, signCdpToken } from "../../../src/serve/access/facilitator/coinbase.ts";
import { serveFacilitator } from "../../support/facilitator-server.ts";

const request = { keyId: "organizations/1/apiKeys/2", method: "POST", host: "api.example", path: "/v2/x402/verify" };

function edwards() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { d, x } = privateKey.export({ format: "jwk" });
  const bytes = Buffer.concat([d, x].map((part) => Buffer.from(String(part), "base64url")));
  return { secret: bytes.toString("base64"), publicKey };
}

function parts(token: string) {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const signed = Buffer.from(`${header}.${claims}`);
  return { header: read(header), claims: read(claims), signed, signature: Buffer.from(signature, "base64url") };
}

describe("signCdpToken", () => {
  it("signs with Ed25519: this request, for two minutes", async () => {
    const { secret, publicKey } = edwards();
    const { header, claims, signed, signature } = parts(
      await signCdpToken({ ...request, keySecret: secret }, 1_700_000_000_000),
    );
    const nonce = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(header).toEqual({ alg: "EdDSA", typ: "JWT", kid: request.keyId, nonce });
    expect(claims).toEqual({
      sub: request.keyId,
      iss: "cdp",
      uris: ["POST api.example/v2/x402/verify"],
      iat: 1_700_000_000,
      nbf: 1_700_000_000,
      exp: 1_700_000_120,
    });
    expect(verify(null, signed, publicKey, signature)).toBe(true);
  });

  it("signs with an EC key in PEM, also with its line ends escaped", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    // Coinbase gives out the older form, SEC 1.
    const pems = (["pkcs8", "sec1"] as const).map((type) => privateKey.export({ type, format: "pem" }).toString());
    for (const keySecret of pems.flatMap((pem) => [pem, pem.replaceAll("\n", "\\n")])) {
      const { header, signed, signature } = parts(await signCdpToken({ ...request, keySecret }));
      expect(header.alg).toBe("ES256");
      const key = {
        key: createPublicKey(publicKey.export({ type: "spki", format: "pem" })),
        dsaEncoding: "ieee-p1363",
      } as const;
      expect(verify("sha256", signed, key, signature)).toBe(true);
    }
  });

  it.each(["", "abc", Buffer.alloc(32).toString("base64"), "-----BEGIN nothing"])(
    "refuses %j as a key",
    async (secret) => {
      expect(() => readCdpKey(secret)).toThrow();
      await expect(signCdpToken({ ...request, keySecret: secret })).rejects.toThrow();
    },
  );
});

describe("openCdpFacilitator", () => {
  it("sends each request with a token for exactly that request", async () => {
    const server = await serveFacilitator({
      verify: async () => ({ isValid: true }),
      settle: async () => ({ success: false, transaction: "", network: "eip155:8453" }),
      getSupported: async () => ({ kinds: [], extensions: [], signers: {} }),
    });
    const { secret } = edwards();
    const client = openCdpFacilitator({ url: `${server.url}/platform/v2/x402`, keyId: "k", keySecret: secret });
    const payment = { x402Version: 2 } as Parameters<typeof client.verify>[0];
    await client.getSupported();
    await client.verify(payment, {} as Parameters<typeof client.verify>[1]);
    await client.settle(payment, {} as Parameters<typeof client.verify>[1]);
    const host = new URL(server.url).host;
    const named = server.requests.map(({ path, authorization }) => [
      path,
      parts(String(authorization).replace("Bearer ", "")).claims.uris[0],
    ]);
    expect(named).toEqual([
      ["/platform/v2/x402/supported", `GET ${host}/platform/v2/x402/supported`],
      ["/platform/v2/x402/verify", `POST ${host}/platform/v2/x402/verify`],
      ["/platform/v2/x402/settle", `POST ${host}/platform/v2/x402/settle`],
    ]);
    await server.stop();
  });
});
