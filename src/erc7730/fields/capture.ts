import { checksum } from "../../kernel/address.ts";
import { isOwnPath, readConstant, readConstantAddress } from "../descriptor/constant.ts";
import { baseChainId } from "../descriptor/contract.ts";
import { isObject } from "../descriptor/json.ts";
import { unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain } from "../descriptor/plain-text.ts";
import { isAmong, isNoneOf, isSome, isThere, readLiteral } from "./condition.ts";
import type { Field } from "./field-list.ts";
import { type CallValue, locate } from "./path.ts";
import { captureTokenAmount } from "./token-amount.ts";
import {
  type CaptureScope,
  type FieldCapture,
  fieldValue,
  parameterOf,
  readAddresses,
  refuseOtherChain,
  textOf,
  wrongType,
} from "./value.ts";

type Format = (field: Field, scope: CaptureScope) => FieldCapture;

/** Names of an enumeration. */
const namesMax = 64;

const formats: Readonly<Record<string, Format>> = {
  raw: captureRaw,
  amount: (field, scope) => {
    const at = fieldValue(field, scope, "uint");
    return { capture: { amount: at.path, of: "native" }, reads: [at], conditions: isSome(at) };
  },
  tokenAmount: captureTokenAmount,
  nftName: captureNft,
  date: captureDate,
  duration: (field, scope) => captureIfThere("duration", fieldValue(field, scope, "uint")),
  unit: captureUnit,
  enum: captureEnum,
  chainId: (field, scope) => captureIfThere("chain", fieldValue(field, scope, "uint")),
  addressName: captureAddress,
  tokenTicker: (field, scope) => {
    refuseOtherChain(field.part.get("params"), scope);
    return captureIfSome("token", fieldValue(field, scope, "address"));
  },
};

const unsupportedFormats: Readonly<Record<string, string>> = {
  calldata: "a call inside of the call: unwrappers of our own rules open calls",
  interoperableAddressName: "the format interoperableAddressName cannot be expressed",
};

/** The capture for a field of ERC-7730 ("Field formats"). Throws UnsupportedError with the reason when there is none. */
export function captureField(field: Field, scope: CaptureScope): FieldCapture {
  const { part } = field;
  const encryption = part.get("encryption");
  if (encryption !== undefined) unsupported("an encrypted value", encryption);
  const stated = part.get("format")?.take() ?? "raw";
  const name = typeof stated === "string" ? stated : "";
  const capture = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (capture !== undefined) return captureConstant(field, name, scope) ?? capture(field, scope);
  const reason = Object.hasOwn(unsupportedFormats, name)
    ? unsupportedFormats[name]
    : "a format that ERC-7730 does not have";
  unsupported(reason as string, part.get("format"));
}

/** A field that shows a constant: `value`, or a path into the descriptor. */
function captureConstant({ part, path }: Field, format: string, scope: CaptureScope): FieldCapture | undefined {
  const stated = part.get("value") ?? (isOwnPath(path) ? part.get("path") : undefined);
  if (stated === undefined && path !== "@.chainId") return undefined;
  if (stated !== undefined && (format === "addressName" || format === "tokenTicker")) {
    const address = checksum(readConstantAddress(stated, scope));
    return { capture: { [format === "addressName" ? "address" : "token"]: address }, reads: [], conditions: [] };
  }
  const value = stated === undefined ? (format === "chainId" ? "Base" : baseChainId) : readConstant(stated, scope);
  if (format !== "raw" && stated !== undefined) unsupported("a constant of a format that reads calls", stated);
  const isNumber = typeof value !== "string" || /^\d{1,30}(?:\.\d{1,30})?$/.test(value);
  const text = isNumber ? String(value) : readPlain(value, "label");
  if (text === undefined) unsupported("a constant that is not short, plain, printable ASCII text", stated);
  return { capture: { const: text }, reads: [], conditions: [] };
}

/** For values of which zero can be told. */
function captureIfThere(key: string, at: CallValue): FieldCapture {
  return { capture: { [key]: at.path }, reads: [at], conditions: isThere(at) };
}

/** For values that no sentence tells when they are zero or empty. */
function captureIfSome(key: string, at: CallValue): FieldCapture {
  return { capture: { [key]: at.path }, reads: [at], conditions: isSome(at) };
}

function captureRaw(field: Field, scope: CaptureScope): FieldCapture {
  const at = locate(field.path, scope.item, "uint");
  switch (at.type) {
    case "uint":
    case "int":
      return captureIfThere("integer", at);
    case "bool":
      return captureIfThere("boolean", at);
    case "string":
      return captureIfSome("text", at);
    case "address":
      return captureIfSome("address", at);
    case "bytes":
      return unsupported("bytes: no sentence tells raw hex");
    default:
      return unsupported("every element of an array");
  }
}

function captureNft(field: Field, scope: CaptureScope): FieldCapture {
  const id = fieldValue(field, scope, "uint");
  const params = field.part.get("params");
  const [path, constant] = [params?.get("collectionPath"), params?.get("collection")];
  if (path === undefined && constant === undefined) unsupported("an NFT without its collection");
  if (constant !== undefined) {
    const nft = checksum(readConstantAddress(constant, scope));
    return { capture: { nft, id: id.path }, reads: [id], conditions: isThere(id) };
  }
  const collection = parameterOf(field, textOf(path), scope);
  const conditions = [...isThere(id), ...isSome(collection)];
  return { capture: { nft: collection.path, id: id.path }, reads: [id, collection], conditions };
}

function captureDate(field: Field, scope: CaptureScope): FieldCapture {
  const encoding = field.part.at("params", "encoding");
  if (encoding !== undefined && encoding.value !== "timestamp") unsupported("a date that is no timestamp", encoding);
  encoding?.take();
  return captureIfSome("time", fieldValue(field, scope, "uint"));
}

function captureUnit(field: Field, scope: CaptureScope): FieldCapture {
  const [base, decimals, prefix] = ["base", "decimals", "prefix"].map((key) => field.part.at("params", key));
  const unit = base?.take();
  if (typeof unit !== "string" || !/^(?:%|[A-Za-z][A-Za-z0-9/-]{0,15})$/.test(unit))
    unsupported("a unit that is no short word", base);
  const places = decimals?.take() ?? 0;
  if (typeof places !== "number" || !Number.isInteger(places) || places < 0 || places > 77)
    unsupported("decimals that are no small number", decimals);
  if (prefix !== undefined && prefix.take() !== false) unsupported("prefixes of units, such as k and M", prefix);
  const at = locate(field.path, scope.item, "uint");
  if (at.type !== "uint" && at.type !== "int") unsupported(wrongType);
  return { capture: { quantity: at.path, decimals: String(places), unit }, reads: [at], conditions: isThere(at) };
}

function captureEnum(field: Field, { item, root }: CaptureScope): FieldCapture {
  const reference = field.part.at("params", "$ref");
  const [, name] = /^\$\.metadata\.enums\.([\w-]{1,64})$/.exec(String(reference?.take())) ?? [];
  const names = name === undefined ? undefined : root.at("metadata", "enums", name);
  if (names === undefined) unsupported("an enumeration that is not there", reference);
  if (!isObject(names.value)) unsupported("an enumeration elsewhere is not fetched", names);
  const at = locate(field.path, item, "uint");
  const values = new Map<string, string>();
  const literals = names.entries().flatMap(([key, part], position) => {
    const [literal, text] = [readLiteral(key, at.type), readPlain(part.value, "label")];
    if (position >= namesMax) part.leaveOut(`more than ${namesMax} names`);
    else if (literal === undefined) part.leaveOut("a name for a value of another type");
    else if (text === undefined) part.leaveOut("a name that is not short, plain, printable ASCII text");
    else {
      part.take();
      values.set(String(literal), lowerWords(text));
      return [literal];
    }
    return [];
  });
  if (literals.length === 0) unsupported("an enumeration without names", reference);
  const capture = { enum: at.path, values: Object.fromEntries(values) };
  return { capture, reads: [at], conditions: [isAmong(at, literals)] };
}

function captureAddress(field: Field, scope: CaptureScope): FieldCapture {
  const at = fieldValue(field, scope, "address");
  const sender = field.part.at("params", "senderAddress");
  // What stands for the sender must not be told as an address.
  const standIns = sender === undefined ? [] : readAddresses(sender, scope);
  return { capture: { address: at.path }, reads: [at], conditions: [...isSome(at), ...isNoneOf(at, standIns)] };
}
