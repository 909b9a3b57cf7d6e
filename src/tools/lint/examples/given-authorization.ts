import { secp256k1 } from "@noble/curves/secp256k1";
import { authorizationHash } from "../../../engine/normalize/authority.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import type { RpcAuthorization } from "../../../model/case-file.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import type { GivenNames } from "./given-names.ts";
import { GivenError, hex, readInteger, readParty, shown } from "./given-values.ts";

/** The private key of `signer` in given-names.ts. It is public on purpose. */
const signerKey = "7702".repeat(16);

/**
 * Reads an EIP-7702 authorization of an example, `{ delegate, nonce, chain, signed }`. It is signed by `signer`, or has no signature where
 * `signed` is false. Throws {@link GivenError}.
 */
export function readAuthorization(entry: unknown, names: GivenNames, at: DocumentPath): RpcAuthorization {
  const raw = (entry ?? {}) as Record<string, unknown>;
  const authorization = {
    chainId: hex(readInteger(raw.chain ?? chain.id, [...at, "chain"])),
    address: readParty(raw.delegate ?? "zero", names, [...at, "delegate"]),
    nonce: hex(readInteger(raw.nonce ?? 0, [...at, "nonce"])),
  };
  if (raw.signed === false) return authorization;
  if (raw.signed !== undefined && raw.signed !== true)
    throw new GivenError([...at, "signed"], `${shown(raw.signed)} stands here; true or false was expected`);
  return { ...authorization, ...sign(authorization) };
}

/** Signs the authorization. The signature is deterministic (RFC 6979), so that examples always give the same case. */
function sign(authorization: Pick<RpcAuthorization, "chainId" | "address" | "nonce">) {
  const hash = authorizationHash(authorization) ?? "0x";
  const { r, s, recovery } = secp256k1.sign(hash.slice(2), signerKey);
  return { yParity: hex(BigInt(recovery)), r: hex(r), s: hex(s) };
}
