import { secp256k1 } from "@noble/curves/secp256k1";
import type { AbiParameter } from "viem";
import { concat, keccak256, numberToHex, pad, parseAbiItem, toHex } from "viem/utils";
import { authorizationHash } from "../../../engine/normalize/authority.ts";
import { transactionTypes } from "../../../gather/receipt/rpc-form.ts";
import type { Address } from "../../../kernel/address.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { type Hash, readHex } from "../../../kernel/hex.ts";
import { transferSingleTopic, transferTopic } from "../../../kernel/token-standards.ts";
import type { CaseFile, InternalTransfer, RpcAuthorization, RpcLog, TokenLookup } from "../../../model/case-file.ts";
import type { EventItem } from "../../../rules/abi/signature.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { suggest } from "../../../rules/documents/suggest.ts";
import { creationLog, encodeLog, type GivenNames } from "./given-names.ts";
import {
  GivenError,
  hex,
  readArguments,
  readCall,
  readData,
  readInteger,
  readParty,
  refuseOthers,
  shown,
  soleEntry,
} from "./given-values.ts";

const transactionFields = ["from", "to", "value", "call", "data", "type", "authorizations", "mint"];
const outcomeFields = ["status", "gas_used", "logs", "native", "tokens"];
const statuses = { success: "0x1", reverted: "0x0" };

/** Throws {@link GivenError} for the first mistake. Never partial: without `native`, the internal transfers are empty, not unknown. */
export function buildCase(given: Record<string, unknown>, names: GivenNames): CaseFile {
  refuseOthers(given, [...transactionFields, ...outcomeFields], [], "field of `given`");
  const from = readParty(given.from === undefined ? "alice" : given.from, names, ["from"]);
  const to = given.to === undefined || given.to === null ? null : readParty(given.to, names, ["to"]);
  const input =
    given.call === undefined
      ? readData(given.data === undefined ? "0x" : given.data, ["data"])
      : readCall(given.call, names, ["call"]);
  const logs = listIn(given, "logs").map((entry, i) => readLog(entry, names, ["logs", i]));
  const internal = listIn(given, "native").map((entry, i) => readNative(entry, names, ["native", i]));
  const tokens = readTokens(given.tokens, names);
  const value = given.value === undefined ? 0n : readInteger(given.value, ["value"]);
  const authorizations = listIn(given, "authorizations").map((entry, i) =>
    readAuthorization(entry, names, ["authorizations", i]),
  );
  const made = names.created.filter(
    ({ address, proof }) => !logs.some((log) => proof.event.read(log.topics, log.data)?.[proof.argument] === address),
  );
  const body = { from, to, value: hex(value), input, logs, internal, authorizations };
  const hash = keccak256(toHex(JSON.stringify(body))) as Hash;
  const plain = input === "0x" && logs.length === 0 && internal.length === 0;
  const gas = given.gas_used === undefined && plain ? 21_000n : given.gas_used;
  return {
    version: 2,
    chain_id: chain.id,
    tx_hash: hash,
    gathered_at: "2025-01-01T00:00:00Z",
    transaction: {
      ...{ hash, from, to, value: hex(value), input },
      type: typeOf(given.type, authorizations.length),
      ...(given.mint !== undefined && { mint: hex(readInteger(given.mint, ["mint"])) }),
      ...(authorizations.length > 0 && { authorizationList: authorizations }),
    },
    receipt: {
      status: chosen(
        given.status === undefined ? "success" : given.status,
        statuses,
        ["status"],
        "is no status: success or reverted",
      ),
      ...(gas !== undefined && { gasUsed: hex(readInteger(gas, ["gas_used"])) }),
      contractAddress: to === null ? `0x${hash.slice(26)}` : null,
      logs:
        given.status === "reverted" ? [] : [...made.map(({ proof, address }) => creationLog(proof, address)), ...logs],
    },
    block: { number: "0x1312d00", timestamp: "0x66aa0000" },
    trace: { source: "internal_transfers", provider: "example", internal_transfers: internal },
    tokens,
    reads: names.reads,
    price: { status: "absent", source: "example", eth_usd: null },
  };
}

function listIn(given: Record<string, unknown>, name: string): unknown[] {
  const list = given[name];
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new GivenError([name], `\`${name}\` is a list`);
  return list;
}

function readNative(entry: unknown, names: GivenNames, at: DocumentPath): InternalTransfer {
  const raw = (entry ?? {}) as Record<string, unknown>;
  const from = readParty(raw.from, names, [...at, "from"]);
  const to = readParty(raw.to, names, [...at, "to"]);
  return { type: "call", from, to, value: readInteger(raw.amount, [...at, "amount"]).toString(), success: true };
}

/** Metadata of unlisted tokens: `{ name: { symbol, decimals } }`. Throws {@link GivenError}. */
export function readTokens(raw: unknown, names: GivenNames): Record<string, TokenLookup> {
  const entries = Object.entries((raw ?? {}) as Record<string, { symbol?: string; name?: string; decimals?: number }>);
  const lookups = entries.map(([key, facts]): [Address, TokenLookup] => {
    const { symbol = null, name = null, decimals = null } = facts ?? {};
    const address = readParty(key, names, ["tokens", key]);
    return [address, { status: "found", source: "example", symbol, name, decimals, standard: null }];
  });
  return Object.fromEntries(lookups);
}

function typeOf(raw: unknown, authorizations: number): string {
  if (raw === undefined) return authorizations > 0 ? "0x4" : "0x2";
  const code = Object.values(transactionTypes).find((one) => one === raw);
  return code ?? chosen(raw, transactionTypes, ["type"], "is no envelope type");
}

/** Throws {@link GivenError} for an unknown word. */
function chosen(raw: unknown, meanings: Record<string, string>, at: DocumentPath, problem: string): string {
  const meaning = Object.hasOwn(meanings, String(raw)) ? meanings[String(raw)] : undefined;
  if (meaning !== undefined) return meaning;
  const suggestion = suggest(String(raw), Object.keys(meanings));
  throw new GivenError(at, `${shown(raw)} ${problem}`, { suggestion });
}

/** The private key of `signer` in given-names.ts; public on purpose. */
const signerKey = "7702".repeat(16);

/** EIP-7702 `{ delegate, nonce, chain, signed }`, by `signer` unless `signed` is false. Throws {@link GivenError}. */
function readAuthorization(entry: unknown, names: GivenNames, at: DocumentPath): RpcAuthorization {
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

/** Deterministic (RFC 6979), so that examples always give the same case. */
function sign(authorization: Pick<RpcAuthorization, "chainId" | "address" | "nonce">) {
  const hash = authorizationHash(authorization) ?? "0x";
  const { r, s, recovery } = secp256k1.sign(hash.slice(2), signerKey);
  return { yParity: hex(BigInt(recovery)), r: hex(r), s: hex(s) };
}

/** `transfer: { … }`, or `Event: { at: …, … }` by name. Throws {@link GivenError}. */
export function readLog(entry: unknown, names: GivenNames, at: DocumentPath): RpcLog {
  const [name, raw] = soleEntry(entry, at, "a log is one event with its arguments");
  const inner = [...at, name];
  const fieldsOf = (raw ?? {}) as Record<string, unknown>;
  if (name === "transfer") return readTransfer(fieldsOf, names, inner);
  const event = names.item(name);
  if (event?.kind !== "event")
    throw new GivenError(inner, `\`${name}\` is no event of this file`, { key: true, suggestion: names.suggest(name) });
  const { at: place, args, ...rest } = fieldsOf;
  if (place === undefined) throw new GivenError(inner, `\`${name}\` lacks \`at\`: who emits it`, { key: true });
  const nested = args !== undefined && !event.inputs.names.includes("args");
  const own = hashTexts(event, (nested ? args : args === undefined ? rest : { args, ...rest }) as typeof fieldsOf);
  const values = readArguments(event.inputs, own, names, nested ? [...inner, "args"] : inner);
  return encodeLog(event, readParty(place, names, [...inner, "at"]), values);
}

/** Indexed text and bytes: a topic holds the hash, examples may write the value. */
function hashTexts({ inputs, indexed, signature }: EventItem, raw: Record<string, unknown>): Record<string, unknown> {
  // In the item's own types an indexed text is 32 bytes already. So the types are read again from the signature.
  const parameters = parseAbiItem(`event ${signature}` as "event f()").inputs as readonly AbiParameter[];
  const entries = Object.entries(raw ?? {}).map(([name, value]): [string, unknown] => {
    const index = inputs.names.indexOf(name);
    const type = indexed[index] === true ? parameters[index]?.type : undefined;
    if (typeof value !== "string" || /^0x[0-9a-f]{64}$/i.test(value)) return [name, value];
    if (type === "bytes") return [name, keccak256(readHex(value) ?? toHex(value))];
    return [name, type === "string" ? keccak256(toHex(value)) : value];
  });
  return Object.fromEntries(entries);
}

function readTransfer(raw: Record<string, unknown>, names: GivenNames, at: DocumentPath): RpcLog {
  refuseOthers(raw, ["token", "nft", "from", "to", "amount", "id"], at, "field of `transfer`");
  const [from, to] = [readParty(raw.from, names, [...at, "from"]), readParty(raw.to, names, [...at, "to"])];
  const wordOf = (field: "amount" | "id") =>
    numberToHex(BigInt.asUintN(256, readInteger(raw[field], [...at, field])), { size: 32 });
  if (raw.nft === undefined) {
    const address = readParty(raw.token, names, [...at, "token"]);
    return { address, topics: [transferTopic, pad(from), pad(to)], data: wordOf("amount") };
  }
  const address = readParty(raw.nft, names, [...at, "nft"]);
  const id = wordOf("id");
  if (raw.amount === undefined) return { address, topics: [transferTopic, pad(from), pad(to), id], data: "0x" };
  const topics = [transferSingleTopic, pad(from), pad(from), pad(to)];
  return { address, topics, data: concat([id, wordOf("amount")]) };
}
