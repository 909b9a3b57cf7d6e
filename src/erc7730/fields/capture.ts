import type { Value } from "../../abi/abi-type.ts";
import { type Address, checksum, isNativePlaceholder } from "../../kernel/address.ts";
import { unlimitedThreshold } from "../../kernel/amount.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { isOwnPath, readAddresses, readConstant, readConstantAddress } from "../descriptor/constant.ts";
import { isObject, orLeaveOut, unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain, requirePlain } from "../descriptor/plain-text.ts";
import { type Condition, isAmong, isNoneOf, isSome, isThere, readLiteral } from "./condition.ts";
import type { Field } from "./field.ts";
import { fieldValue, parameterAt, readAddressParameter, refuseForeignToken } from "./field-value.ts";
import { locate } from "./path.ts";

/** The capture of the rule language for one field, and every value of the call that it reads. */
export interface CapturedField {
  capture: Readonly<Record<string, unknown>>;
  /** What must hold so that the field can be told in a sentence that needs it. */
  conditions: readonly Condition[];
  /** The array whose every element the capture reads through `item`; null for a value that is there once. */
  each: string | null;
  /** The call that a message carries. */
  carries?: Readonly<Record<string, string>>;
}

type Format = (field: Field) => CapturedField;

/** Captures by the format of a field (ERC-7730 "Field formats"); a text says why there is none. */
const formats = new Map<unknown, Format | string>(
  Object.entries<Format | string>({
    raw: captureRaw,
    amount: (field) => {
      const at = fieldValue(field, "uint");
      return told({ amount: at.path, of: "native" }, isSome(at));
    },
    tokenAmount: captureTokenAmount,
    nftName: captureNft,
    date: captureDate,
    duration: (field) => toldAs("duration", isThere(fieldValue(field, "uint"))),
    unit: captureUnit,
    enum: captureEnum,
    chainId: (field) => toldAs("chain", isThere(fieldValue(field, "uint"))),
    addressName: captureAddress,
    tokenTicker: (field) => {
      refuseForeignToken(field);
      return toldAs("token", isSome(fieldValue(field, "address")));
    },
    calldata: captureCalldata,
    interoperableAddressName: "the format interoperableAddressName cannot be expressed",
  }),
);

/** The capture for a field of ERC-7730. Throws UnsupportedError with the reason when there is none. */
export function captureField(field: Field): CapturedField {
  const { part } = field;
  const encryption = part.get("encryption");
  if (encryption !== undefined) unsupported("an encrypted value", encryption);
  const name = part.get("format")?.take() ?? "raw";
  const format = formats.get(name) ?? "a format that ERC-7730 does not have";
  if (typeof format === "string") unsupported(format, part.get("format"));
  return captureConstant(field, name) ?? format(field);
}

/** A field that shows a constant: `value`, or a path into the descriptor. */
function captureConstant({ part, path, scope }: Field, format: unknown): CapturedField | undefined {
  const stated = part.get("value") ?? (isOwnPath(path) ? part.get("path") : undefined);
  if (stated === undefined) {
    if (path !== "@.chainId") return undefined;
    return told({ const: format === "chainId" ? "Base" : String(chain.id) });
  }
  if (format === "addressName" || format === "tokenTicker") {
    const address = checksum(readConstantAddress(stated, scope));
    return told({ [format === "addressName" ? "address" : "token"]: address });
  }
  const value = readConstant(stated, scope);
  if (format !== "raw") unsupported("a constant of a format that reads calls", stated);
  const isNumber = typeof value !== "string" || /^\d{1,30}(?:\.\d{1,30})?$/.test(value);
  return told({ const: isNumber ? String(value) : requirePlain(value, "constant", stated) });
}

function told(capture: CapturedField["capture"], ...conditions: readonly Condition[]): CapturedField {
  const [array, ...others] = new Set(conditions.flatMap(({ at }) => at.each ?? []));
  if (others.length === 0) return { capture, conditions, each: array ?? null };
  return unsupported("values of several arrays");
}

/** One value that has a capture of its own. */
function toldAs(key: string, condition: Condition): CapturedField {
  return told({ [key]: condition.at.path }, condition);
}

function captureRaw({ path, scope }: Field): CapturedField {
  const at = locate(path, scope.item, "uint");
  if (at.type === "uint" || at.type === "int") return toldAs("integer", isThere(at));
  if (at.type === "bool") return told({ enum: at.path, values: { true: "true", false: "false" } }, isThere(at));
  if (at.type === "string") return toldAs("text", isSome(at));
  if (at.type === "address") return toldAs("address", isSome(at));
  return at.type === "bytes" ? toldAs("bytes", isThere(at)) : unsupported("a struct as a whole");
}

/** A call inside: its bytes, and the call itself. What it would do, the rules about that call tell. */
function captureCalldata(field: Field): CapturedField {
  const data = fieldValue(field, "bytes");
  const shown = toldAs("bytes", isThere(data));
  const to = parameterAt(field, "callee", "address");
  const isMessage = field.scope.item.kind === "message";
  if (to === undefined || (data.each !== null && isMessage)) return shown;
  const [value, from] = [parameterAt(field, "amount", "uint"), parameterAt(field, "spender", "address")];
  // What a contract has itself do, it does for its caller.
  const own = isMessage ? "domain.verifyingContract" : to.path === "call.to" ? "call.from" : "call.to";
  const reads = [to, ...(value === undefined ? [] : [value]), ...(from === undefined ? [] : [from])];
  if (reads.some(({ each }) => each !== null && each !== data.each)) return shown;
  const carries = {
    ...(data.each === null ? {} : { each: data.each }),
    from: from?.path ?? own,
    to: to.path,
    ...(value === undefined ? {} : { value: value.path }),
    data: data.path,
  };
  return { ...shown, carries };
}

function captureTokenAmount(field: Field): CapturedField {
  refuseForeignToken(field);
  const at = fieldValue(field, "uint");
  const stated = field.part.get("params", "nativeCurrencyAddress");
  const signs = stated === undefined ? [] : readAddresses(stated, field.scope);
  const token = readAddressParameter(field, "token");
  // A wallet that is not told the token shows the number.
  if (token === undefined) return toldAs("integer", isThere(at));
  if (typeof token === "string") {
    const of = isNativePlaceholder(token) || signs.includes(token) ? "native" : checksum(token);
    return told({ amount: at.path, of, ...readCap(field) }, isSome(at));
  }
  if (!signs.every(isNativePlaceholder)) unsupported("an address of its own that stands for ether", stated);
  return told({ amount: at.path, of: token.path, ...readCap(field) }, isSome(at), isThere(token));
}

/** The number from which on words stand for the amount; nothing where it would be told as unlimited anyway. */
function readCap({ part, scope }: Field): { cap?: string; capped?: string } {
  const threshold = part.get("params", "threshold");
  if (threshold === undefined) return {};
  const from = readLiteral(readConstant(threshold, scope), "uint");
  if (typeof from !== "bigint" || from === 0n) unsupported("a threshold that is no number above zero", threshold);
  // The ERC's own examples call it thresholdLabel.
  const message = part.get("params", "message") ?? part.get("params", "thresholdLabel");
  const text = message === undefined ? "Unlimited" : readPlain(readConstant(message, scope), "label");
  const capped = lowerWords(text ?? "");
  if (!/^[A-Za-z][A-Za-z -]{0,31}$/.test(capped)) unsupported("a message that is not short and plain", message);
  return from >= unlimitedThreshold && capped === "unlimited" ? {} : { cap: String(from), capped };
}

function captureNft(field: Field): CapturedField {
  const id = fieldValue(field, "uint");
  const nft = readAddressParameter(field, "collection");
  if (nft === undefined) return toldAs("number", isThere(id));
  if (typeof nft === "string") return told({ nft: checksum(nft), id: id.path }, isThere(id));
  return told({ nft: nft.path, id: id.path }, isThere(id), isSome(nft));
}

function captureDate(field: Field): CapturedField {
  const encoding = field.part.get("params", "encoding");
  const at = fieldValue(field, "uint");
  if (encoding?.value === "blockheight") {
    encoding.take();
    return toldAs("number", isThere(at));
  }
  if (encoding !== undefined && encoding.value !== "timestamp") unsupported("a date that is no timestamp", encoding);
  encoding?.take();
  return told({ time: at.path, precision: "second" }, isSome(at));
}

function captureUnit(field: Field): CapturedField {
  const [base, decimals, prefix] = ["base", "decimals", "prefix"].map((key) => field.part.get("params", key));
  const stated = base === undefined ? "" : readConstant(base, field.scope);
  const unit = String(stated).trim();
  if (!/^(?:%|[A-Za-z][A-Za-z0-9/-]{0,15})?$/.test(unit)) unsupported("a unit that is no short word", base);
  const places = decimals?.take() ?? 0;
  if (typeof places !== "number" || !Number.isInteger(places) || places < 0 || places > 77)
    unsupported("decimals that are no small number", decimals);
  // `36 k` with a prefix is `36,000` without: both say the same.
  prefix?.take();
  const at = fieldValue(field, "uint", "int");
  return told({ quantity: at.path, decimals: String(places), ...(unit === "" ? {} : { unit }) }, isThere(at));
}

/** Names of an enumeration. */
const namesMax = 64;

function captureEnum({ part, path, scope }: Field): CapturedField {
  const reference = part.get("params", "$ref");
  const [, name] = /^\$\.metadata\.enums\.([\w-]{1,64})$/.exec(String(reference?.take())) ?? [];
  const names = name === undefined ? undefined : scope.root.get("metadata", "enums", name);
  if (names === undefined) unsupported("an enumeration that is not there", reference);
  if (!isObject(names.value)) unsupported("an enumeration elsewhere is not fetched", names);
  const at = locate(path, scope.item, "uint");
  const literals: Value[] = [];
  const values = new Map<string, string>();
  for (const [position, [key, one]] of names.entries().entries())
    orLeaveOut(one, () => {
      if (position >= namesMax) unsupported(`more than ${namesMax} names`);
      const literal = readLiteral(key, at.type) ?? unsupported("a name for a value of another type");
      values.set(String(literal), lowerWords(requirePlain(one.take(), "enumName")));
      literals.push(literal);
    });
  if (literals.length === 0) unsupported("an enumeration without names", reference);
  return told({ enum: at.path, values: Object.fromEntries(values) }, isAmong(at, literals));
}

function captureAddress(field: Field): CapturedField {
  const at = fieldValue(field, "address");
  const stated = field.part.get("params", "senderAddress");
  const sender: Address[] = stated === undefined ? [] : readAddresses(stated, field.scope);
  const names = sender.length === 0 ? {} : { sender: sender.map(checksum) };
  return told({ address: at.path, ...names }, isSome(at), ...(sender.length === 0 ? [] : isNoneOf(at, sender)));
}
