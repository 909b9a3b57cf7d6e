import type { Value } from "../abi/abi-type.ts";
import { type Address, checksum, isNativePlaceholder, readAddress, shorten, zeroAddress } from "../kernel/address.ts";
import { groupThousands, unlimitedThreshold } from "../kernel/amount.ts";
import { chain } from "../kernel/chain-profile.ts";
import type { Labels } from "../model/label.ts";
import type { AssetChange, MatchContext } from "../model/match.ts";
import type { Phrase } from "../model/phrase.ts";
import { tierRank } from "../ruleset/actions.ts";
import type { Placeholder, Template } from "../ruleset/compile/template.ts";
import type { CompiledCapture, CompiledRule } from "../ruleset/compiled.ts";
import { type AssetNames, cleanText } from "./asset-names.ts";
import { durationText, percentText, quantityText, timeText } from "./measure.ts";
import type { Teller } from "./teller.ts";

type AmountCapture = Extract<CompiledCapture, { kind: "amount" }>;

/** Turns templates into text. Every value passes a typed formatter; a value that cannot be told makes the template unusable. */
export class SentenceWriter {
  readonly #labels: Labels;
  readonly #assets: AssetNames;
  readonly #teller: Teller;

  constructor(labels: Labels, assets: AssetNames, teller: Teller) {
    this.#labels = labels;
    this.#assets = assets;
    this.#teller = teller;
  }

  /** Fills a rule's template; undefined when a placeholder has no value, a zero amount or the zero address. */
  write(rule: CompiledRule, context: MatchContext, template: Template = rule.summary): Phrase | undefined {
    let text = "";
    let untrusted = false;
    for (const part of template.parts) {
      if (typeof part === "string") {
        text += part;
        continue;
      }
      const phrase = this.#placeholder(part, rule, context);
      if (phrase === undefined) return undefined;
      text += phrase.text;
      untrusted ||= phrase.untrusted;
    }
    return { text, untrusted };
  }

  /** A label, or the shortened address. */
  address(address: Address): string {
    return this.#labels.name(address)?.label ?? this.#labels.token(address)?.symbol ?? shorten(address);
  }

  #placeholder(part: Placeholder, rule: CompiledRule, context: MatchContext): Phrase | undefined {
    switch (part.capture) {
      case "subject":
        return plain(part.facet === "full" ? checksum(context.subject) : shorten(context.subject));
      case "protocol":
        return plain(rule.protocol ?? undefined);
      case "gives":
      case "gets":
        return this.#flow(context, part.capture);
      case "contract":
        return this.#party(context.log?.address ?? context.call?.to ?? context.target, part.facet);
      case "others":
        return this.#others(context);
    }
    const capture = rule.captures.get(part.capture);
    if (capture === undefined) return undefined;
    return capture.kind === "amount"
      ? this.#amount(capture, rule, context)
      : this.#capture(capture, context, part.facet);
  }

  #capture(
    capture: Exclude<CompiledCapture, { kind: "amount" }>,
    context: MatchContext,
    facet: string | null,
  ): Phrase | undefined {
    switch (capture.kind) {
      case "const":
        return plain(capture.text);
      case "flow":
        return this.#flow(context, capture.side);
      case "count":
        return plain(String(this.#count(capture, context)));
      case "nft":
        return this.#nft(capture.token(context), capture.id(context));
      default:
        return this.#single(capture, capture.get(context), facet);
    }
  }

  #single(
    capture: Exclude<CompiledCapture, { kind: "const" | "flow" | "count" | "nft" | "amount" }>,
    value: Value | undefined,
    facet: string | null,
  ): Phrase | undefined {
    if (value === undefined) return undefined;
    switch (capture.kind) {
      case "address":
        return this.#party(value === "native" ? undefined : readAddress(value), facet);
      case "token":
        return isEther(value)
          ? plain(chain.currency.symbol)
          : mapDefined(contractOf(value), (token) => this.#assets.name(token));
      case "integer":
        return plain(groupThousands(String(value)));
      case "number":
        return plain(String(value));
      case "boolean":
        return plain(this.#teller.words(value === true ? "value.yes" : "value.no"));
      case "time":
        return plain(timeText(value as bigint));
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
      case "text":
        return quoted(String(value));
    }
  }

  /** A name of ours, else the number, or the word that the caller gave in quotes. */
  #chain(scheme: string, value: Value): Phrase | undefined {
    const known = this.#labels.chain(scheme, String(value));
    if (known !== undefined) return plain(known);
    if (typeof value === "bigint")
      return this.#teller.say("value.chain", { id: { text: value.toString().slice(0, 20), untrusted: false } });
    const word = quoted(String(value), 24);
    return word && this.#teller.say("value.chain", { id: word });
  }

  #party(address: Address | null | undefined, facet: string | null): Phrase | undefined {
    if (address === null || address === undefined || address === zeroAddress) return undefined;
    return plain(facet === "full" ? checksum(address) : this.address(address));
  }

  #amount(capture: AmountCapture, rule: CompiledRule, context: MatchContext): Phrase | undefined {
    const [value, token] = [capture.get(context), capture.token(context)];
    const cap = capture.cap ?? (rule.tier <= tierRank("flow") ? this.#everything() : null);
    if (typeof value !== "bigint" || value === 0n || typeof token !== "string") return undefined;
    const asset = isEther(token) ? null : readAddress(token);
    if (asset === undefined) return undefined;
    if (cap === null || value < cap.from) return this.#assets.amount(asset, value);
    const { text, untrusted } = this.#assets.name(asset);
    return { text: `${cap.word} ${text}`, untrusted };
  }

  /** Who asks to move the largest number there is asks for all there is; only allowances are unlimited. */
  #everything(): { from: bigint; word: string } {
    return { from: unlimitedThreshold, word: this.#teller.words("asset.all") };
  }

  #nft(token: Value | undefined, id: Value | undefined): Phrase | undefined {
    const address = contractOf(token);
    return address === undefined || typeof id !== "bigint" ? undefined : this.#assets.nft(address, id, 1n);
  }

  #flow(context: MatchContext, side: "gives" | "gets"): Phrase | undefined {
    const assets = context.flow[side];
    if (assets.length > 0) return this.#list(assets);
    if (context.flow.complete) return undefined;
    const unwraps = context.tx.movements.some((move) => move.basis === "inferred");
    return plain(this.#teller.words(side === "gets" && unwraps ? "asset.untraced_ether" : "asset.untraced"));
  }

  #list(assets: readonly AssetChange[]): Phrase {
    const shown = assets.slice(0, 3).map((asset) => this.#assets.asset(asset));
    const rest = assets.length - shown.length;
    const texts = shown.map((phrase) => phrase.text);
    if (rest > 0) texts.push(this.#teller.say("asset.more", { count: rest }).text);
    return { text: joinWords(texts), untrusted: shown.some((phrase) => phrase.untrusted) };
  }

  #others(context: MatchContext): Phrase | undefined {
    const { gives, recipients, senders } = context.flow;
    const accounts = (gives.length > 0 ? recipients : senders).filter((account) => account !== zeroAddress);
    const first = accounts[0];
    if (first === undefined) return undefined;
    const name = this.address(first);
    const count = accounts.length - 1;
    return count === 0 ? plain(name) : this.#teller.say("value.and_others", { first: name, count });
  }

  #count(capture: CompiledCapture & { kind: "count" }, context: MatchContext): number {
    return context.logsWith(capture.event.hash).filter((log) => {
      if (!context.admits(capture.gate, log.address)) return false;
      const args = capture.event.read(log.topics, log.data);
      return args !== undefined && (capture.where === null || capture.where(args));
    }).length;
  }
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** Text from the chain, cleaned, capped, in quotes that it cannot close, addresses and hashes in it shortened. */
export function quoted(text: string, charsMax = 60): Phrase | undefined {
  const short = text.slice(0, textCharsMax).replace(longHex, (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`);
  const clean = cleanText(short, charsMax);
  return clean === null ? undefined : { text: `"${clean.replace(/["“”`<>[\](){}\\]/g, "'")}"`, untrusted: true };
}

/** Enough to see what a text says before it is cleaned; a contract may answer megabytes. */
const textCharsMax = 4_096;
const longHex = /(?:0x)?[0-9a-fA-F]{40,}/g;

function plain(text: string | undefined): Phrase | undefined {
  return text === undefined || text === "" ? undefined : { text, untrusted: false };
}

function isEther(token: Value): boolean {
  return token === "native" || (typeof token === "string" && isNativePlaceholder(token));
}

/** The address of a contract: never the zero address. */
function contractOf(value: Value | undefined): Address | undefined {
  const address = readAddress(value);
  return address === zeroAddress ? undefined : address;
}

function mapDefined<T, R>(value: T | undefined, map: (value: T) => R): R | undefined {
  return value === undefined ? undefined : map(value);
}
