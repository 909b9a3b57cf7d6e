import { type Address, readAddress } from "../../kernel/address.ts";
import { canonicalJson } from "../../kernel/canonical.ts";
import { ServiceError } from "../../kernel/error.ts";
import { digestOf } from "../../kernel/hash.ts";
import { byteLength, type Hex, readHash, readHex, readQuantity } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";

/** Wei. */
export interface PreviewRequest {
  from: Address;
  /** null: creates a contract. */
  to: Address | null;
  value: bigint;
  data: Hex;
  /** Gas limit; null: left open. */
  gas: bigint | null;
  nonce: bigint | null;
  authorizations: RequestedAuthorization[];
}

/** EIP-7702; without a signature the sender will sign. */
export interface RequestedAuthorization {
  chainId: bigint | null;
  delegate: Address;
  nonce: bigint | null;
  signature: { yParity: bigint; r: Hex; s: Hex } | null;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * `{from, to, value?, data?, gas?, nonce?, authorization_list?}` (schemas/preview-request.schema.json); hex (`0x1a`), decimal text or
 * integers. Throws ServiceError `invalid_preview`.
 */
export function readPreviewRequest(fields: Fields): PreviewRequest {
  refuseUnknown(fields, known, "The transaction");
  if (!Object.hasOwn(fields, "to")) throw invalid("to is missing; null stands for the creation of a contract.");
  const data = fields.data === undefined ? "0x" : readHex(fields.data);
  if (data === undefined) throw invalid("data is not 0x followed by whole bytes of hex.");
  if (byteLength(data) > serviceLimits.previewDataBytesMax)
    throw invalid(`data is longer than ${serviceLimits.previewDataBytesMax} bytes.`);
  const to = fields.to === null ? null : addressIn(fields.to, "to");
  if (to === null && data === "0x") throw invalid("data is missing: a creation needs the code of the new contract.");
  const gas = quantityIn(fields.gas, "gas", gasMax);
  return {
    from: addressIn(fields.from, "from"),
    to,
    value: quantityIn(fields.value, "value", (1n << 256n) - 1n) ?? 0n,
    data,
    gas,
    nonce: quantityIn(fields.nonce, "nonce", nonceMax),
    authorizations: authorizationsIn(fields.authorization_list, to),
  };
}

/** In ledger and memory; equal requests share it. */
export function nameOfRequest(request: PreviewRequest): string {
  return `preview:${digestOf(canonicalJson(request))}`;
}

const known = new Set(["from", "to", "value", "data", "gas", "nonce", "authorization_list"]);
const knownOfAuthorization = new Set(["chain_id", "address", "nonce", "y_parity", "r", "s"]);
/** No block has more gas. */
const gasMax = 1_000_000_000n;
/** EIP-2681. */
const nonceMax = (1n << 64n) - 2n;
const authorizationsMax = 16;

function authorizationsIn(value: unknown, to: Address | null): RequestedAuthorization[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0 || value.length > authorizationsMax)
    throw invalid(`authorization_list is not an array of 1 to ${authorizationsMax} authorizations.`);
  if (to === null) throw invalid("A transaction with an authorization_list cannot create a contract (EIP-7702).");
  return value.map((item, i) => authorizationIn(item, `authorization_list[${i}]`));
}

function authorizationIn(item: unknown, name: string): RequestedAuthorization {
  if (item === null || typeof item !== "object" || Array.isArray(item)) throw invalid(`${name} is not an object.`);
  const fields = item as Fields;
  refuseUnknown(fields, knownOfAuthorization, name);
  const signed = ["y_parity", "r", "s"].filter((field) => fields[field] !== undefined);
  if (signed.length % 3 !== 0) throw invalid(`${name} has a part of a signature: y_parity, r and s belong together.`);
  const nonce = quantityIn(fields.nonce, `${name}.nonce`, nonceMax);
  if (signed.length === 3 && nonce === null) throw invalid(`${name}.nonce is missing: it is part of what was signed.`);
  return {
    chainId: quantityIn(fields.chain_id, `${name}.chain_id`, (1n << 64n) - 1n),
    delegate: addressIn(fields.address, `${name}.address`),
    nonce,
    signature: signed.length === 0 ? null : signatureIn(fields, name),
  };
}

function signatureIn({ y_parity, r, s }: Fields, name: string): RequestedAuthorization["signature"] {
  const [left, right] = [readHash(r), readHash(s)];
  if (left === undefined || right === undefined)
    throw invalid(`${name}.r and .s are not 0x followed by 64 hex digits.`);
  return { yParity: quantityIn(y_parity, `${name}.y_parity`, 1n) ?? 0n, r: left, s: right };
}

function addressIn(value: unknown, name: string): Address {
  const address = readAddress(value);
  if (value === undefined) throw invalid(`${name} is missing.`);
  if (address === undefined) throw invalid(`${name} is not 0x followed by 40 hex digits.`);
  return address;
}

/** null: left out. Throws ServiceError `invalid_preview`. */
function quantityIn(value: unknown, name: string, max: bigint): bigint | null {
  if (value === undefined) return null;
  const quantity = readQuantity(value);
  // JSON parsers lose their digits.
  if (quantity === undefined && typeof value === "number" && value > Number.MAX_SAFE_INTEGER)
    throw invalid(
      `${name} is too large for a JSON number: write it as a text, in decimal digits or as 0x and hex digits.`,
    );
  if (quantity === undefined) throw invalid(`${name} is not a quantity: 0x and hex digits, or a decimal number.`);
  if (quantity > max) throw invalid(`${name} is too large.`);
  return quantity;
}

/** The caller's text: cut to 40 characters. */
export function unknownField(name: string): string {
  return `a field that is not known: ${name.slice(0, 40)}`;
}

function refuseUnknown(fields: Fields, names: ReadonlySet<string>, what: string): void {
  for (const name in fields) if (!names.has(name)) throw invalid(`${what} holds ${unknownField(name)}.`);
}

function invalid(message: string): ServiceError {
  return new ServiceError("invalid_preview", message);
}
