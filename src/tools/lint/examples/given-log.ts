import type { AbiParameter } from "viem";
import { concat, keccak256, numberToHex, pad, parseAbiItem, toHex } from "viem/utils";
import { readHex } from "../../../kernel/hex.ts";
import { transferSingleTopic, transferTopic } from "../../../kernel/token-standards.ts";
import type { RpcLog } from "../../../model/case-file.ts";
import type { EventItem } from "../../../rules/abi/signature.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { encodeLog, type GivenNames } from "./given-names.ts";
import { GivenError, readArguments, readInteger, readParty, refuseOthers, soleEntry } from "./given-values.ts";

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
