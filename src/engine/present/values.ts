import { type Address, checksum, isNativePlaceholder, readAddress, zeroAddress } from "../../kernel/address.ts";
import { readableInteger, unlimitedThreshold } from "../../kernel/amount.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { base58, type Hex, shortHex, utf8Text } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import { addressLabel, type Labels } from "../../model/label.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import { toldElements } from "../../rules/ruleset/capture-parts.ts";
import type { AmountLimit, CompiledCapture, FieldCapture } from "../../rules/ruleset/compiled.ts";
import { isOrder } from "../assess/tokens/token-text.ts";
import type { AssetNames } from "./amounts/asset-names.ts";
import type { FlowPhrases } from "./amounts/flow-phrases.ts";
import { clockText, durationText, percentText, quantityText, timeText } from "./amounts/measure.ts";
import { fillParts, joinPhrases, quoted } from "./phrase.ts";
import type { Teller } from "./teller/teller.ts";
import { countLogs, isSomeoneElse, type Told } from "./told.ts";

/** Of another chain; Bitcoin's have up to 62, others about 100. */
const accountCharsMax = 120;

interface Showing {
  rule: Told["rule"];
  context: MatchContext;
  /** Such as `full`; null: usual. */
  facet: string | null;
  /** Show 0 and the zero address. */
  zeros: boolean;
}

type AmountCapture = Extract<CompiledCapture, { kind: "amount" }>;
type OtherCapture = Extract<CompiledCapture, { kind: "other" }>;
type SingleCapture = Exclude<
  CompiledCapture,
  FieldCapture | { kind: "const" | "flow" | "count" | "nft" | "other" | "amount" | "list" | "phrase" }
>;

/** By typed formatters; undefined: has no words. */
export class ValueWriter {
  readonly #labels: Labels;
  readonly #assets: AssetNames;
  readonly #teller: Teller;
  readonly #flows: FlowPhrases;

  constructor(labels: Labels, assets: AssetNames, { teller, flows }: { teller: Teller; flows: FlowPhrases }) {
    this.#labels = labels;
    this.#assets = assets;
    this.#teller = teller;
    this.#flows = flows;
  }

  address(address: Address): string {
    return addressLabel(this.#labels, address) ?? this.#teller.short(address);
  }

  party(address: Address | null | undefined, facet: string | null): Phrase | undefined {
    if (address === null || address === undefined || address === zeroAddress) return undefined;
    return plain(facet === "full" ? checksum(address) : this.address(address));
  }

  value(capture: CompiledCapture, showing: Showing): Phrase | undefined {
    switch (capture.kind) {
      case "list":
        return this.#list(capture.items, showing);
      case "field":
        return this.#field(capture, showing);
      case "amount":
        return this.#amount(capture, showing);
      case "const":
        return plain(capture.text);
      case "flow":
        return this.#flows.side(showing.context, capture.side);
      case "count":
        return plain(String(countLogs(capture, showing.context)));
      case "nft":
        return this.#nft(capture, showing.context);
      case "other":
        return this.#other(capture, showing);
      case "phrase":
        return fillParts(capture.words.parts, (part) => {
          const value = part.kind === "value" ? capture.values.get(part.capture) : undefined;
          return value && this.value(value, showing);
        });
      default:
        return this.#single(capture, showing);
    }
  }

  /** Labelled ones up to a limit, others counted. */
  #list(items: readonly CompiledCapture[], showing: Showing): Phrase | undefined {
    const told: Phrase[] = [];
    let chars = 0;
    let left = 0;
    for (const item of items) {
      const mark = this.#assets.mark();
      const phrase = this.value(item, showing);
      if (phrase === undefined) continue;
      const isField = item.kind === "field" && item.label !== null && told.length > 0;
      if (isField && chars + phrase.text.length > limits.fieldsCharsMax) {
        left += 1;
        this.#assets.rewind(mark);
        continue;
      }
      chars += phrase.text.length;
      told.push(phrase);
    }
    if (left > 0) told.push(this.#teller.say("value.more_fields", { count: left }));
    return told.length === 0 ? undefined : joinPhrases(told);
  }

  #field(capture: FieldCapture, showing: Showing): Phrase | undefined {
    const { told, more } = toldElements(capture, showing.context);
    const zeros = showing.zeros || capture.label !== null;
    let phrases = told.flatMap((context) => this.value(capture.value, { ...showing, context, zeros }) ?? []);
    // A constant is equal for all elements.
    if (capture.value.kind === "const") phrases = phrases.slice(0, 1);
    if (phrases.length === 0) return undefined;
    if (more > 0 && capture.value.kind !== "const") phrases.push(this.#teller.say("value.more", { count: more }));
    const { text, untrusted } = joinPhrases(phrases);
    return { text: capture.label === null ? text : `${capture.label} ${text}`, untrusted };
  }

  #single(capture: SingleCapture, { context, facet, zeros }: Showing): Phrase | undefined {
    const value = capture.get(context);
    if (value === undefined) return undefined;
    switch (capture.kind) {
      case "address":
        return this.#address(value, capture.sender, { facet, zeros });
      case "token":
        return isEther(value) ? plain(chain.currency.symbol) : this.#token(contractOf(value));
      case "integer":
        return plain(typeof value === "bigint" ? readableInteger(value) : String(value));
      case "number":
        return plain(shortNumber(String(value)));
      case "boolean":
        return plain(this.#teller.words(value === true ? "value.yes" : "value.no"));
      case "time":
        return plain((capture.clock ? clockText : timeText)(value as bigint));
      case "duration":
        return plain(durationText(value as bigint));
      case "quantity":
        return plain(quantityText(value as bigint, capture));
      case "percent":
        return plain(percentText(value as bigint, capture.scale));
      case "enum":
        return plain(capture.values.get(String(value)) ?? capture.other ?? undefined);
      case "chain":
        return this.#chain(capture.scheme, value);
      case "bytes":
        return this.#bytes(String(value));
      case "text":
        return isOrder(String(value)) ? undefined : quoted(String(value));
    }
  }

  #address(value: Value, sender: readonly Address[], { facet, zeros }: Pick<Showing, "facet" | "zeros">) {
    const address = value === "native" ? undefined : readAddress(value);
    if (address !== undefined && sender.includes(address)) return plain(this.#teller.words("value.sender"));
    if (!zeros || address === undefined) return this.party(address, facet);
    return plain(address === zeroAddress ? address : this.#nameAndAddress(address));
  }

  /** `Burn address (0x0000…dEaD)`. */
  #nameAndAddress(address: Address): string {
    const [shown, short] = [this.address(address), this.#teller.short(address)];
    return shown === short ? short : `${shown} (${short})`;
  }

  /** Up to 64 bytes in full, to compare keys; else both ends and the length. */
  #bytes(hex: string): Phrase {
    const count = (hex.length - 2) / 2;
    return count <= 64
      ? { text: hex, untrusted: false }
      : this.#teller.say("value.bytes", { hex: shortHex(hex), count });
  }

  /** Our name, its number, or the caller's word in quotes. */
  #chain(scheme: string, value: Value): Phrase | undefined {
    const known = this.#labels.chain(scheme, String(value));
    if (known !== undefined) return plain(known);
    if (typeof value === "bigint")
      return this.#teller.say("value.chain", { id: { text: value.toString().slice(0, 20), untrusted: false } });
    const word = quoted(String(value), 24);
    return word && this.#teller.say("value.chain", { id: word });
  }

  #token(token: Address | undefined): Phrase | undefined {
    return token && this.#assets.name(token);
  }

  #other({ get, far }: OtherCapture, { rule, context }: Showing): Phrase | undefined {
    const address = readAddress(get(context));
    if (address !== undefined) return isSomeoneElse(address, context) ? this.party(address, null) : undefined;
    const account = far?.get(context) as Hex | undefined;
    if (far === null || account === undefined || /^(?:0x0*)?$/.test(account)) return undefined;
    if (far.text) return quoted(account, accountCharsMax);
    const chainName = this.#chainName(rule.captures.get(far.on ?? ""), context);
    // base58 accounts have 32 bytes; more would take long.
    if (account.length === 66 && this.#labels.accountForm(chainName) === "base58") return plain(base58(account));
    const text = utf8Text(account.slice(2));
    return /^[!-~]{8,}$/.test(text) ? quoted(text, accountCharsMax) : this.#bytes(account);
  }

  #chainName(capture: CompiledCapture | undefined, context: MatchContext): string {
    if (capture?.kind === "const") return capture.text;
    if (capture?.kind === "list") return capture.items.map((one) => this.#chainName(one, context)).join("");
    return (capture?.kind === "chain" && this.#labels.chain(capture.scheme, String(capture.get(context)))) || "";
  }

  #amount(capture: AmountCapture, { rule, context, zeros }: Showing): Phrase | undefined {
    const [value, token] = [capture.get(context), capture.token(context)];
    // The largest number moves all; only allowances are unlimited.
    const everything = rule.tier <= tierRank("flow") ? unlimitedThreshold : null;
    const from = capture.cap === null ? everything : capture.cap.from;
    if (typeof value !== "bigint" || typeof token !== "string") return undefined;
    const asset = isEther(token) ? null : readAddress(token);
    if (asset === undefined) return undefined;
    if (capture.limit !== null) return this.#limit(capture.limit, asset, value);
    if (value === 0n && !zeros) return undefined;
    if (from === null || value < from) return this.#assets.allowance(asset, value);
    const { text, untrusted } = this.#assets.name(asset);
    return { text: `${capture.cap?.word ?? this.#teller.words("asset.all")} ${text}`, untrusted };
  }

  /** "At least 0" and "at most everything" limit nothing. */
  #limit(limit: AmountLimit, asset: Address | null, value: bigint): Phrase | undefined {
    if (value === 0n && limit === "most") return undefined;
    if (value === 0n || value >= unlimitedThreshold) return this.#assets.name(asset);
    const { text, untrusted } = this.#assets.amount(asset, value);
    return { text: `at ${limit} ${text}`, untrusted };
  }

  #nft({ token, id, pieces }: CompiledCapture & { kind: "nft" }, context: MatchContext): Phrase | undefined {
    const [address, number] = [contractOf(token(context)), id(context)];
    const count = pieces === undefined ? 1n : pieces(context);
    if (address === undefined || typeof number !== "bigint" || typeof count !== "bigint") return undefined;
    return this.#assets.nft(address, number, count);
  }
}

/** Of a name, such as an id: long ones by both ends. */
function shortNumber(digits: string): string {
  return digits.length > numberCharsMax && !/\D/.test(digits) ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits;
}

const numberCharsMax = 20;

/** Our own words. */
export function plain(text: string | undefined): Phrase | undefined {
  return text === undefined || text === "" ? undefined : { text, untrusted: false };
}

/** `native`, or an address that contracts use for ether. */
export function isEther(token: Value): boolean {
  return token === "native" || (typeof token === "string" && isNativePlaceholder(token));
}

/** Not the zero address. */
export function contractOf(value: Value | undefined): Address | undefined {
  const address = readAddress(value);
  return address === zeroAddress ? undefined : address;
}
