import { unknownField } from "../../../gather/preview/preview-request.ts";
import { readAddress } from "../../../kernel/address.ts";
import { isJsonObject } from "../../../kernel/canonical.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { ServiceError } from "../../../kernel/error.ts";
import { readQuantity } from "../../../kernel/hex.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes the body of POST /preview (schemas/preview-request.schema.json) from such a body, a transaction of wallets or libraries, EIP-712,
 * EIP-7702, `[user operation, EntryPoint]` or JSON-RPC. `signer`: if the text names none. Throws ServiceError `invalid_preview` or
 * `other_chain`.
 */
export function readPastedRequest(text: string, signer: string): Fields {
  const { main, address } = partsOf(parse(text.trim()));
  const named = signer.trim() === "" ? address : signer.trim();
  if (ownForms.some((form) => Object.hasOwn(main, form))) return { ...main, ...whoSigns(main.from ?? named) };
  if (Array.isArray(main.calls))
    throw invalid(
      "These are several calls at once (wallet_sendCalls). Paste the transaction that your wallet makes of them.",
    );
  if (Object.hasOwn(main, "types") && Object.hasOwn(main, "message")) return { ...whoSigns(named), typed_data: main };
  if (Object.hasOwn(main, "callData") && Object.hasOwn(main, "sender")) return operation(main, address, named);
  if (["to", "data", "input", "value"].some((name) => Object.hasOwn(main, name))) return transaction(main, named);
  if (delegateOf(main) !== undefined)
    return { ...whoSigns(main.from ?? named), authorization: authorization(main, []) };
  throw invalid(
    "This is neither a transaction (to, value, data), nor a message (types, primaryType, domain, message), nor an authorization, nor a user operation.",
  );
}

const ownForms = ["typed_data", "authorization", "user_operation"];

/** Numbers that JSON would round stay text. */
function parse(text: string): unknown {
  if (text === "") throw invalid("Nothing was pasted. Paste the transaction or the message as your wallet shows it.");
  const exactly = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
  try {
    return JSON.parse(text, exactly);
  } catch {
    throw invalid("This is no JSON. Paste all of it, from the first brace to the last.");
  }
}

interface PastedParts {
  main: Fields;
  /** Signer of typed data, or EntryPoint. */
  address: unknown;
}

/** Sign text or bytes, even if like JSON. */
const plainMethods: ReadonlySet<unknown> = new Set(["personal_sign", "eth_sign"]);

/** Of JSON-RPC, or its parameters. */
function partsOf(value: unknown): PastedParts {
  if (isJsonObject(value) && plainMethods.has(value.method))
    throw invalid(
      "A text or bytes to be signed (personal_sign, eth_sign) are not explained here: what a signature of them allows is not known. A hash can stand for a transaction.",
    );
  const params = isJsonObject(value) && Array.isArray(value.params) ? value.params : value;
  const parts: readonly unknown[] = Array.isArray(params) ? params : [params];
  const main = parts.map(asObject).find((part) => part !== undefined);
  if (main === undefined) throw invalid("This holds no transaction and no message: it must be a JSON object.");
  return { main, address: parts.find((part) => readAddress(part) !== undefined) };
}

/** Typed data is often JSON text. */
function asObject(value: unknown): Fields | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return undefined;
  return parse(value) as Fields;
}

function whoSigns(from: unknown): { from: unknown } {
  if (from === undefined)
    throw invalid("Say who would sign it: the address of your account goes into the second field.");
  if (readAddress(from) === undefined) throw invalid("Who would sign it is not 0x followed by 40 hex digits.");
  return { from };
}

function operation(main: Fields, contract: unknown, named: unknown): Fields {
  const entryPoint = main.entryPoint ?? main.entry_point ?? contract;
  if (entryPoint === undefined)
    throw invalid(
      "Which EntryPoint runs this user operation is part of what is signed: paste [operation, EntryPoint].",
    );
  const { entryPoint: _own, entry_point: _other, ...user_operation } = main;
  const signer = named === contract ? main.sender : named;
  return { ...whoSigns(signer ?? main.sender), user_operation, entry_point: entryPoint };
}

/** Decided by the preview, or redundant. */
const unread: ReadonlySet<string> = new Set([
  ...["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "type", "accessList", "hash", "customData"],
  ...["ccipReadEnabled", "chainId", "chain_id", "chain", "kzg", "account"],
]);
const otherNames: Readonly<Record<string, string>> = {
  input: "data",
  gasLimit: "gas",
  authorizationList: "authorization_list",
};
const taken: ReadonlySet<string> = new Set(["from", "to", "value", "data", "gas", "nonce", "authorization_list"]);

function transaction(main: Fields, named: unknown): Fields {
  checkChain(main.chainId ?? main.chain_id);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(main)) {
    if (unread.has(name) || value === null || value === undefined) continue;
    const own = otherNames[name] ?? name;
    if (!taken.has(own)) throw invalid(`The transaction holds ${unknownField(name)}.`);
    if (fields[own] !== undefined && fields[own] !== value)
      throw invalid(`The transaction says two things as its ${own}.`);
    fields[own] = own === "data" && value === "" ? "0x" : value;
  }
  if (Array.isArray(fields.authorization_list))
    fields.authorization_list = fields.authorization_list.map((one) =>
      isJsonObject(one) ? authorization(one, signed) : one,
    );
  const to = fields.to === undefined || fields.to === "" ? null : fields.to;
  return { ...fields, ...whoSigns(fields.from ?? named), to };
}

const signed = ["r", "s"];

function delegateOf({ address, contractAddress, delegate }: Fields): unknown {
  return address ?? contractAddress ?? delegate;
}

/** `more`: further fields to copy. */
function authorization(one: Fields, more: readonly string[]): Fields {
  const { chainId, chain_id = chainId, nonce, yParity, y_parity = yParity } = one;
  const known = { address: delegateOf(one), chain_id, nonce, ...(more.length > 0 && { y_parity }) };
  const kept = Object.fromEntries(more.map((name) => [name, one[name]]));
  return Object.fromEntries(Object.entries({ ...known, ...kept }).filter(([, value]) => value !== undefined));
}

function checkChain(given: unknown): void {
  if (given === undefined || given === null) return;
  const id = readQuantity(given);
  if (id === undefined || id !== BigInt(chain.id))
    throw new ServiceError("other_chain", `It is for another chain; this explains ${chain.name}, chain ${chain.id}.`);
}

function invalid(message: string): ServiceError {
  return new ServiceError("invalid_preview", message);
}
