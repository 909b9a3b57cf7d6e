import { keccak256, toHex } from "viem";
import { encodeTuple } from "../../abi/encoder.ts";
import type { EventItem } from "../../abi/signature.ts";
import { suggest } from "../../documents/suggest.ts";
import { readHex } from "../../kernel/hex.ts";
import { transferSingleTopic, transferTopic } from "../../kernel/token-topics.ts";
import type { RpcLog } from "../../model/case-file.ts";
import { encodeLog, type GivenNames } from "./given-names.ts";
import { type At, GivenError, readArguments, readInteger, readParty } from "./given-values.ts";

/** A log of `given.logs`: `transfer: { … }` or `Event: { at: …, args }`. Throws {@link GivenError}. */
export function readLog(entry: unknown, names: GivenNames, at: At): RpcLog {
  const [name, raw] = soleEntry(entry, at);
  const inner = [...at, name];
  const fieldsOf = (raw ?? {}) as Record<string, unknown>;
  if (name === "transfer") return readTransfer(fieldsOf, names, inner);
  const event = names.item(name);
  if (event?.kind !== "event")
    throw new GivenError(inner, `\`${name}\` is no event of this file`, { key: true, suggestion: names.suggest(name) });
  const { at: place, args, ...rest } = fieldsOf;
  if (place === undefined) throw new GivenError(inner, `\`${name}\` lacks \`at\`: who emits it`, { key: true });
  const nested = args !== undefined && !event.inputs.names.includes("args");
  const own = hashTexts(
    event,
    (nested ? args : args === undefined ? rest : { args, ...rest }) as Record<string, unknown>,
  );
  const values = readArguments(event.inputs, own, names, nested ? [...inner, "args"] : inner);
  return encodeLog(event, readParty(place, names, [...inner, "at"]), values);
}

/** An indexed text or bytes value stands in its topic as its hash only: examples may write the value itself. */
function hashTexts(event: EventItem, raw: Record<string, unknown>): Record<string, unknown> {
  const types = topTypes(event.signature);
  const entries = Object.entries(raw ?? {}).map(([name, value]): [string, unknown] => {
    const index = event.inputs.names.indexOf(name);
    const hashed = event.indexed[index] === true && /^(?:string|bytes)$/.test(types[index] ?? "");
    if (!hashed || typeof value !== "string" || /^0x[0-9a-f]{64}$/i.test(value)) return [name, value];
    return [name, keccak256(types[index] === "bytes" ? (readHex(value) ?? toHex(value)) : toHex(value))];
  });
  return Object.fromEntries(entries);
}

/** The types of a signature's parameters; a tuple is one. */
function topTypes(signature: string): string[] {
  const types = [""];
  let depth = 0;
  for (const character of signature.slice(signature.indexOf("(") + 1, -1)) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) types.push("");
    else types[types.length - 1] += character;
  }
  return types;
}

const transferFields = ["token", "nft", "from", "to", "amount", "id"];

function readTransfer(raw: Record<string, unknown>, names: GivenNames, at: At): RpcLog {
  for (const name of Object.keys(raw))
    if (!transferFields.includes(name))
      throw new GivenError([...at, name], `\`${name}\` is no field of \`transfer\``, {
        key: true,
        suggestion: suggest(name, transferFields),
      });
  const from = readParty(raw.from, names, [...at, "from"]);
  const to = readParty(raw.to, names, [...at, "to"]);
  if (raw.nft === undefined) {
    const token = readParty(raw.token, names, [...at, "token"]);
    return {
      address: token,
      topics: [transferTopic, word(from), word(to)],
      data: word(readInteger(raw.amount, [...at, "amount"])),
    };
  }
  const collection = readParty(raw.nft, names, [...at, "nft"]);
  const id = readInteger(raw.id, [...at, "id"]);
  if (raw.amount === undefined)
    return { address: collection, topics: [transferTopic, word(from), word(to), word(id)], data: "0x" };
  const data = word(id) + word(readInteger(raw.amount, [...at, "amount"])).slice(2);
  return { address: collection, topics: [transferSingleTopic, word(from), word(from), word(to)], data };
}

function soleEntry(entry: unknown, at: At): [string, unknown] {
  const entries = entry !== null && typeof entry === "object" ? Object.entries(entry) : [];
  if (entries.length !== 1) throw new GivenError(at, "a log is one event with its arguments");
  return entries[0] as [string, unknown];
}

function word(value: bigint | string): string {
  const number = typeof value === "string" ? BigInt(value) : value;
  return `0x${encodeTuple([{ kind: "uint", bits: 256, dynamic: false, words: 1 }], [number])}`;
}
