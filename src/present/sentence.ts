import type { Value } from "../abi/abi-type.ts";
import { type Address, checksum, readAddress, zeroAddress } from "../kernel/address.ts";
import { groupThousands, unlimitedThreshold } from "../kernel/amount.ts";
import { chain } from "../kernel/chain-profile.ts";
import type { Labels } from "../model/label.ts";
import type { MatchContext } from "../model/match.ts";
import type { Phrase } from "../model/phrase.ts";
import { tierRank } from "../ruleset/actions.ts";
import type { Clause, Part, Placeholder, Template, Verb } from "../ruleset/compile/template.ts";
import type { AmountLimit, CompiledCapture, CompiledRule } from "../ruleset/compiled.ts";
import { pastTense, type VerbTable } from "../ruleset/verbs.ts";
import type { AssetNames, ToldAmount } from "./amounts/asset-names.ts";
import { contractOf, isEther } from "./amounts/asset-value.ts";
import { FlowPhrases } from "./amounts/flow-phrases.ts";
import { durationText, percentText, quantityText, timeText } from "./amounts/measure.ts";
import { joinWords, quoted } from "./phrase.ts";
import type { Teller } from "./teller.ts";
import { countLogs, isIdle, isSomeoneElse, type Told } from "./told.ts";

type AmountCapture = Extract<CompiledCapture, { kind: "amount" }>;
/** A filled template with the amounts that it tells. */
export interface Sentence extends Phrase {
  amounts: readonly ToldAmount[];
}

/** Turns templates into text. Every value passes a typed formatter; a value that cannot be told makes the template unusable. */
export class SentenceWriter {
  readonly #labels: Labels;
  readonly #assets: AssetNames;
  readonly #teller: Teller;
  readonly #verbs: VerbTable;
  readonly #flows: FlowPhrases;

  constructor(labels: Labels, assets: AssetNames, { teller, verbs }: { teller: Teller; verbs: VerbTable }) {
    this.#labels = labels;
    this.#assets = assets;
    this.#teller = teller;
    this.#verbs = verbs;
    this.#flows = new FlowPhrases(assets, teller, (address) => this.address(address));
  }

  /** Fills a sentence; undefined when a placeholder outside of clauses has no value, a zero amount or the zero address. */
  write(template: Template, told: Told): Sentence | undefined {
    const amounts = this.#assets.listen();
    const phrase = this.#parts(template.parts, told);
    // What is told later is no part of this sentence.
    return phrase && { ...phrase, amounts: [...amounts] };
  }

  /** A label, or the shortened address. */
  address(address: Address): string {
    return this.#labels.name(address)?.label ?? this.#labels.token(address)?.symbol ?? this.#teller.short(address);
  }

  #parts(parts: readonly Part[], told: Told): Phrase | undefined {
    let text = "";
    let untrusted = false;
    for (const part of parts) {
      const phrase = typeof part === "string" ? { text: part, untrusted: false } : this.#part(part, told);
      if (phrase === undefined) return undefined;
      text += phrase.text;
      untrusted ||= phrase.untrusted;
    }
    return { text, untrusted };
  }

  #part(part: Exclude<Part, string>, told: Told): Phrase | undefined {
    if (part.kind === "value") return this.#placeholder(part, told);
    return part.kind === "verb" ? this.#verb(part, told) : this.#clause(part, told);
  }

  /** A clause is left out where a number in it is zero or stands for everything: it would say nothing. */
  #clause({ alternatives }: Clause, told: Told): Phrase {
    for (const parts of alternatives) {
      const phrase = parts.some((part) => isIdle(part, told)) ? undefined : this.#parts(parts, told);
      if (phrase !== undefined) return phrase;
    }
    return { text: "", untrusted: false };
  }

  #verb({ base, first }: Verb, told: Told): Phrase | undefined {
    const word = typeof base === "string" ? base : this.#placeholder(base, told)?.text;
    if (word === undefined) return undefined;
    if (told.form === "past") return plain(pastTense(word, this.#verbs));
    if (!first || told.form === "request") return plain(word);
    return this.#teller.say(told.form === "attempt" ? "summary.tried" : "summary.would", { act: word });
  }

  #placeholder(part: Placeholder, { rule, context }: Told): Phrase | undefined {
    const capture = rule.captures.get(part.capture);
    if (capture !== undefined) return this.#value(capture, rule, context, part.facet);
    switch (part.capture) {
      case "subject":
        return plain(part.facet === "full" ? checksum(context.subject) : this.#teller.short(context.subject));
      case "protocol":
        return plain(rule.protocol ?? undefined);
      case "gives":
      case "gets":
        return this.#flows.side(context, part.capture);
      case "contract":
        return this.#party(context.log?.address ?? context.call?.to ?? context.target, part.facet);
      case "others":
        return this.#flows.others(context);
      case "chief":
        return this.#flows.chief(context);
      case "payee":
        return this.#flows.payee(context);
      case "elsewhere":
        return this.#flows.elsewhere(context);
      default:
        return undefined;
    }
  }

  #value(
    capture: CompiledCapture,
    rule: CompiledRule,
    context: MatchContext,
    facet: string | null,
  ): Phrase | undefined {
    if (capture.kind === "amount") return this.#amount(capture, rule, context);
    if (capture.kind !== "list") return this.#capture(capture, context, facet);
    const told = capture.items.flatMap((item) => this.#value(item, rule, context, facet) ?? []);
    const texts = told.map((phrase) => phrase.text);
    return texts.length === 0
      ? undefined
      : { text: joinWords(texts), untrusted: told.some((phrase) => phrase.untrusted) };
  }

  #capture(
    capture: Exclude<CompiledCapture, { kind: "amount" | "list" }>,
    context: MatchContext,
    facet: string | null,
  ): Phrase | undefined {
    switch (capture.kind) {
      case "const":
        return plain(capture.text);
      case "flow":
        return this.#flows.side(context, capture.side);
      case "count":
        return plain(String(countLogs(capture, context)));
      case "nft":
        return this.#nft(capture.token(context), capture.id(context));
      default:
        return this.#single(capture, context, facet);
    }
  }

  #single(
    capture: Exclude<CompiledCapture, { kind: "const" | "flow" | "count" | "nft" | "amount" | "list" }>,
    context: MatchContext,
    facet: string | null,
  ): Phrase | undefined {
    const value = capture.get(context);
    if (value === undefined) return undefined;
    switch (capture.kind) {
      case "address":
        return this.#party(value === "native" ? undefined : readAddress(value), facet);
      case "other":
        return this.#other(readAddress(value), context);
      case "token":
        return isEther(value) ? plain(chain.currency.symbol) : this.#token(contractOf(value));
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

  #token(token: Address | undefined): Phrase | undefined {
    return token && this.#assets.name(token);
  }

  #other(address: Address | undefined, context: MatchContext): Phrase | undefined {
    return address !== undefined && isSomeoneElse(address, context) ? this.#party(address, null) : undefined;
  }

  #amount(capture: AmountCapture, rule: CompiledRule, context: MatchContext): Phrase | undefined {
    const [value, token] = [capture.get(context), capture.token(context)];
    // Who asks to move the largest number there is asks for all there is; only allowances are unlimited.
    const everything = rule.tier <= tierRank("flow") ? unlimitedThreshold : null;
    const from = capture.cap === null ? everything : capture.cap.from;
    if (typeof value !== "bigint" || typeof token !== "string") return undefined;
    const asset = isEther(token) ? null : readAddress(token);
    if (asset === undefined) return undefined;
    if (capture.limit !== null) return this.#limit(capture.limit, asset, value);
    if (value === 0n) return undefined;
    if (from === null || value < from) return this.#assets.allowance(asset, value);
    const { text, untrusted } = this.#assets.name(asset);
    return { text: `${capture.cap?.word ?? this.#teller.words("asset.all")} ${text}`, untrusted };
  }

  /** At least nothing and at most everything set no limit: only the asset is told. */
  #limit(limit: AmountLimit, asset: Address | null, value: bigint): Phrase | undefined {
    if (value === 0n && limit === "most") return undefined;
    if (value === 0n || value >= unlimitedThreshold) return this.#assets.name(asset);
    const { text, untrusted } = this.#assets.amount(asset, value);
    return { text: `at ${limit} ${text}`, untrusted };
  }

  #nft(token: Value | undefined, id: Value | undefined): Phrase | undefined {
    const address = contractOf(token);
    return address === undefined || typeof id !== "bigint" ? undefined : this.#assets.nft(address, id, 1n);
  }
}

function plain(text: string | undefined): Phrase | undefined {
  return text === undefined || text === "" ? undefined : { text, untrusted: false };
}
