import { type Address, checksum, isNativePlaceholder, readAddress } from "../../../kernel/address.ts";
import { unlimitedThreshold } from "../../../kernel/amount.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";
import { isOwnPath, readAddresses, readConstant, readConstantAddress } from "../descriptor/constant.ts";
import { isObject, orLeaveOut, unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain, requirePlain } from "../descriptor/plain-text.ts";
import { type CapturedField, orNumber, told, toldAs } from "./captured-field.ts";
import { isAmong, isNoneOf, isSome, isThere, readLiteral } from "./condition.ts";
import type { Field } from "./field.ts";
import { fieldValue, parameterAt, readAddressParameter, readTokenChain } from "./field-value.ts";
import { locate } from "./path.ts";

type Format = (field: Field) => CapturedField;

/** ERC-7730 "Field formats". */
const formats = new Map<unknown, Format>(
  Object.entries<Format>({
    raw: captureRaw,
    amount: (field) => {
      const at = fieldValue(field, "uint", "int");
      // An `amount` capture shows no sign, so a negative number would look like a positive one.
      if (at.type === "int")
        return told({ quantity: at.path, decimals: "18", unit: chain.currency.symbol }, isThere(at));
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
    tokenTicker: captureTicker,
    calldata: captureCalldata,
  }),
);

/** Throws UnsupportedError with the reason. */
export function captureField(field: Field): CapturedField {
  const { part } = field;
  const [stated, encryption] = [part.get("format"), part.get("encryption")];
  const name = stated?.take() ?? "raw";
  const constant = captureConstant(field, name);
  if (constant !== undefined) return constant;
  if (encryption !== undefined) {
    // Nothing is decrypted here, so the field's format would show a wrong value.
    encryption.take();
    for (const [, one] of part.get("params")?.entries() ?? []) one.take();
    return { ...captureRaw(field), encrypted: true };
  }
  const format = formats.get(name);
  if (format !== undefined) return format(field);
  stated?.note(
    name === "interoperableAddressName"
      ? "the format interoperableAddressName cannot be expressed: its bytes are told"
      : "a format that ERC-7730 does not have: the value is told as it is",
  );
  return captureRaw(field);
}

/** `value`, or a path into the descriptor; undefined for other fields. */
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
  if (readAddress(value) !== undefined) return told({ address: checksum(readConstantAddress(stated, scope)) });
  const isNumber = typeof value !== "string" || /^\d{1,30}(?:\.\d{1,30})?$/.test(value);
  return told({ const: isNumber ? String(value) : requirePlain(value, "constant", stated) });
}

function captureRaw({ path, scope }: Field): CapturedField {
  const at = locate(path, scope.item, "uint");
  if (at.type === "uint" || at.type === "int") return toldAs("integer", isThere(at));
  if (at.type === "bool") return told({ enum: at.path, values: { true: "true", false: "false" } }, isThere(at));
  if (at.type === "string") return toldAs("text", isSome(at));
  if (at.type === "address") return toldAs("address", isSome(at));
  return at.type === "bytes" ? toldAs("bytes", isThere(at)) : unsupported("a struct as a whole");
}

/** A call inside the call. The sentence shows its bytes; rules about the inner call state what it would do. */
function captureCalldata(field: Field): CapturedField {
  const data = fieldValue(field, "bytes");
  const shown = toldAs("bytes", isThere(data));
  const to = parameterAt(field, "callee", "address");
  const isMessage = field.scope.item.kind === "message";
  if (to === undefined || (data.each !== null && isMessage)) return shown;
  const [value, from] = [parameterAt(field, "amount", "uint"), parameterAt(field, "spender", "address")];
  // A contract that calls itself acts for its caller.
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

/** A token on another chain is stated by its address. */
function captureTicker(field: Field): CapturedField {
  const [at, here] = [fieldValue(field, "address"), readTokenChain(field)];
  if (here === "elsewhere") return toldAs("address", isSome(at));
  const ticker = told({ token: at.path }, isSome(at), ...here);
  return here.length === 0 ? ticker : { ...ticker, otherwise: { capture: { address: at.path }, unless: here } };
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
  // `36 k` (with a prefix) and `36,000` (without) mean the same, so the prefix is not needed.
  prefix?.take();
  const at = fieldValue(field, "uint", "int");
  return told({ quantity: at.path, decimals: String(places), ...(unit === "" ? {} : { unit }) }, isThere(at));
}

/** Names of an enumeration. */
const namesMax = 64;

function captureEnum(field: Field): CapturedField {
  const { part, path, scope } = field;
  const reference = part.get("params", "$ref");
  const raw = captureRaw(field);
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
  if (literals.length === 0) {
    reference?.note("an enumeration without names: its values are told as they are");
    return raw;
  }
  const named = isAmong(at, literals);
  return {
    ...told({ enum: at.path, values: Object.fromEntries(values) }, named),
    otherwise: { capture: raw.capture, unless: [named] },
  };
}

function captureAddress(field: Field): CapturedField {
  const at = fieldValue(field, "address");
  const stated = field.part.get("params", "senderAddress");
  const sender: Address[] = stated === undefined ? [] : readAddresses(stated, field.scope);
  const names = sender.length === 0 ? {} : { sender: sender.map(checksum) };
  const shown = told({ address: at.path, ...names }, isSome(at), ...(sender.length === 0 ? [] : isNoneOf(at, sender)));
  // A 32-byte word from another chain may be no address.
  const whole = locate(field.path, field.scope.item, "uint");
  return whole.type === "bytes" && at.loose
    ? { ...shown, otherwise: { capture: { bytes: whole.path }, unless: [isThere(at)] } }
    : shown;
}

/** Ether where the token is its placeholder; the plain number where the token is unknown, as in wallets. */
function captureTokenAmount(field: Field): CapturedField {
  const at = fieldValue(field, "uint", "int");
  const here = readTokenChain(field);
  const stated = field.part.get("params", "nativeCurrencyAddress");
  const signs = stated === undefined ? [] : readAddresses(stated, field.scope);
  const token = readAddressParameter(field, "token");
  const cap = readCap(field);
  // An `amount` capture shows no sign, so a negative number would look like a positive one.
  if (token === undefined || here === "elsewhere" || at.type === "int") return toldAs("integer", isThere(at));
  if (typeof token === "string") {
    const of = isNativePlaceholder(token) || signs.includes(token) ? "native" : checksum(token);
    return orNumber(told({ amount: at.path, of, ...cap }, isSome(at), ...here), at.path, here);
  }
  const own = signs.filter((sign) => !isNativePlaceholder(sign));
  if (own.length === 0) {
    const needed = [isThere(token), ...here];
    return orNumber(told({ amount: at.path, of: token.path, ...cap }, isSome(at), ...needed), at.path, needed);
  }
  if (here.length > 0) unsupported("an address of its own that stands for ether on one chain", stated);
  const needed = isNoneOf(token, own);
  const amount = told({ amount: at.path, of: token.path, ...cap }, isSome(at), ...needed);
  return { ...amount, otherwise: { capture: { amount: at.path, of: "native", ...cap }, unless: needed } };
}

/** Words from this number on. Empty where it is "unlimited" anyway. */
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
