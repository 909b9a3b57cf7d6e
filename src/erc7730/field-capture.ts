import { checksum } from "../kernel/address.ts";
import { captureAmount } from "./amount-capture.ts";
import { isAmong, isNoneOf, isSome, isThere, readLiteral } from "./condition.ts";
import { isOwnPath, readConstant, readConstantAddress } from "./constant.ts";
import { chainId } from "./deployment.ts";
import type { Field } from "./field-list.ts";
import { locate } from "./field-path.ts";
import {
  addressesOf,
  type CaptureScope,
  type FieldCapture,
  fieldValue,
  parameterOf,
  refuseOtherChain,
  textOf,
} from "./field-value.ts";
import { isObject } from "./json-tree.ts";
import { Unfit } from "./part.ts";
import { lowerWords, readPlain } from "./plain-text.ts";

type Format = (field: Field, scope: CaptureScope) => FieldCapture;

/** Names of an enumeration. */
const namesMax = 64;

const formats: Readonly<Record<string, Format>> = {
  raw: captureRaw,
  amount: (field, scope) => {
    const at = fieldValue(field, scope, "uint");
    return { capture: { amount: at.path, of: "native" }, reads: [at], conditions: [isSome(at)] };
  },
  tokenAmount: captureAmount,
  nftName: captureNft,
  date: captureDate,
  duration: (field, scope) => {
    const at = fieldValue(field, scope, "uint");
    return { capture: { duration: at.path }, reads: [at], conditions: isThere(at) };
  },
  unit: captureUnit,
  enum: captureEnum,
  chainId: (field, scope) => {
    const at = fieldValue(field, scope, "uint");
    return { capture: { chain: at.path }, reads: [at], conditions: isThere(at) };
  },
  addressName: captureAddress,
  tokenTicker: captureTicker,
};

const refused: Readonly<Record<string, string>> = {
  calldata: "a call inside of the call: unwrappers of our own rules open calls",
  interoperableAddressName: "the format interoperableAddressName cannot be expressed",
};

/** The capture for a field of ERC-7730 ("Field formats"). Throws {@link Unfit} with the reason when there is none. */
export function captureField(field: Field, scope: CaptureScope): FieldCapture {
  const { part } = field;
  const encryption = part.get("encryption");
  if (encryption !== undefined) throw new Unfit("an encrypted value", encryption);
  const name = part.get("format")?.take() ?? "raw";
  const make = typeof name === "string" && Object.hasOwn(formats, name) ? formats[name] : undefined;
  const reason = typeof name === "string" && Object.hasOwn(refused, name) ? refused[name] : undefined;
  if (make === undefined) throw new Unfit(reason ?? "a format that ERC-7730 does not have", part.get("format"));
  return constantOf(field, String(name), scope) ?? make(field, scope);
}

/** A field that shows a constant: `value`, or a path into the descriptor. */
function constantOf({ part, path }: Field, format: string, scope: CaptureScope): FieldCapture | undefined {
  const stated = part.get("value") ?? (isOwnPath(path) ? part.get("path") : undefined);
  if (stated === undefined && path !== "@.chainId") return undefined;
  if (stated !== undefined && (format === "addressName" || format === "tokenTicker")) {
    const address = checksum(readConstantAddress(stated, scope));
    return { capture: { [format === "addressName" ? "address" : "token"]: address }, reads: [], conditions: [] };
  }
  const value = stated === undefined ? (format === "chainId" ? "Base" : chainId) : readConstant(stated, scope);
  if (format !== "raw" && stated !== undefined) throw new Unfit("a constant of a format that reads calls", stated);
  const isNumber = typeof value !== "string" || /^\d{1,30}(?:\.\d{1,30})?$/.test(value);
  const text = isNumber ? String(value) : readPlain(value, "label");
  if (text === undefined) throw new Unfit("a constant that is not short, plain, printable ASCII text", stated);
  return { capture: { const: text }, reads: [], conditions: [] };
}

function captureRaw(field: Field, scope: CaptureScope): FieldCapture {
  const at = locate(field.path, scope.item, "uint");
  switch (at.type) {
    case "uint":
    case "int":
      return { capture: { integer: at.path }, reads: [at], conditions: isThere(at) };
    case "bool":
      return { capture: { boolean: at.path }, reads: [at], conditions: isThere(at) };
    case "string":
      return { capture: { text: at.path }, reads: [at], conditions: [isSome(at)] };
    case "address":
      return { capture: { address: at.path }, reads: [at], conditions: [isSome(at)] };
    case "bytes":
      throw new Unfit("bytes: no sentence tells raw hex");
    default:
      throw new Unfit("every element of an array");
  }
}

function captureNft(field: Field, scope: CaptureScope): FieldCapture {
  const id = fieldValue(field, scope, "uint");
  const params = field.part.get("params");
  const [path, constant] = [params?.get("collectionPath"), params?.get("collection")];
  if (path === undefined && constant === undefined) throw new Unfit("an NFT without its collection");
  if (constant !== undefined) {
    const nft = checksum(readConstantAddress(constant, scope));
    return { capture: { nft, id: id.path }, reads: [id], conditions: isThere(id) };
  }
  const collection = parameterOf(field, textOf(path), scope);
  const conditions = [...isThere(id), isSome(collection)];
  return { capture: { nft: collection.path, id: id.path }, reads: [id, collection], conditions };
}

function captureDate(field: Field, scope: CaptureScope): FieldCapture {
  const encoding = field.part.at("params", "encoding");
  if (encoding !== undefined && encoding.value !== "timestamp")
    throw new Unfit("a date that is no timestamp", encoding);
  encoding?.take();
  const at = fieldValue(field, scope, "uint");
  return { capture: { time: at.path }, reads: [at], conditions: [isSome(at)] };
}

function captureUnit(field: Field, scope: CaptureScope): FieldCapture {
  const params = field.part.get("params");
  const [base, decimals, prefix] = ["base", "decimals", "prefix"].map((key) => params?.get(key));
  const unit = base?.take();
  if (typeof unit !== "string" || !/^(?:%|[A-Za-z][A-Za-z0-9/-]{0,15})$/.test(unit))
    throw new Unfit("a unit that is no short word", base);
  const places = decimals?.take() ?? 0;
  if (typeof places !== "number" || !Number.isInteger(places) || places < 0 || places > 77)
    throw new Unfit("decimals that are no small number", decimals);
  if (prefix !== undefined && prefix.take() !== false) throw new Unfit("prefixes of units, such as k and M", prefix);
  const at = locate(field.path, scope.item, "uint");
  if (at.type !== "uint" && at.type !== "int") throw new Unfit("a value of another type than its format needs");
  return { capture: { quantity: at.path, decimals: String(places), unit }, reads: [at], conditions: isThere(at) };
}

function captureEnum(field: Field, { item, root }: CaptureScope): FieldCapture {
  const reference = field.part.at("params", "$ref");
  const [, name] = /^\$\.metadata\.enums\.([\w-]{1,64})$/.exec(String(reference?.take())) ?? [];
  const names = name === undefined ? undefined : root.at("metadata", "enums", name);
  if (names === undefined) throw new Unfit("an enumeration that is not there", reference);
  if (!isObject(names.value)) throw new Unfit("an enumeration elsewhere is not fetched", names);
  const at = locate(field.path, item, "uint");
  const values = new Map<string, string>();
  const literals = names.children().flatMap(([key, part], position) => {
    const [literal, text] = [readLiteral(key, at.type), readPlain(part.value, "label")];
    if (position >= namesMax) part.refuse(`more than ${namesMax} names`);
    else if (literal === undefined) part.refuse("a name for a value of another type");
    else if (text === undefined) part.refuse("a name that is not short, plain, printable ASCII text");
    else {
      part.take();
      values.set(String(literal), lowerWords(text));
      return [literal];
    }
    return [];
  });
  if (literals.length === 0) throw new Unfit("an enumeration without names", reference);
  const capture = { enum: at.path, values: Object.fromEntries(values) };
  return { capture, reads: [at], conditions: [isAmong(at, literals)] };
}

function captureAddress(field: Field, scope: CaptureScope): FieldCapture {
  const at = fieldValue(field, scope, "address");
  const sender = field.part.at("params", "senderAddress");
  // What stands for the sender must not be told as an address.
  const signs = sender === undefined ? [] : addressesOf(sender, scope);
  const others = isNoneOf(at, signs);
  return { capture: { address: at.path }, reads: [at], conditions: [isSome(at), ...others] };
}

function captureTicker(field: Field, scope: CaptureScope): FieldCapture {
  refuseOtherChain(field.part.get("params"), scope);
  const at = fieldValue(field, scope, "address");
  return { capture: { token: at.path }, reads: [at], conditions: [isSome(at)] };
}
