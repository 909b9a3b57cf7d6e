import type { Address } from "../../kernel/address.ts";
import { checksum, readAddress } from "../../kernel/address.ts";
import type { Labels } from "../../model/label.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { Clause, Part, Placeholder, Template, Verb } from "../../rules/ruleset/compile/template.ts";
import type { CompiledCapture } from "../../rules/ruleset/compiled.ts";
import { pastTense, type VerbTable } from "../../rules/ruleset/verbs.ts";
import type { AssetNames, ToldAmount } from "./amounts/asset-names.ts";
import { FlowPhrases } from "./amounts/flow-phrases.ts";
import { fillParts } from "./phrase.ts";
import type { Teller } from "./teller/teller.ts";
import { isIdle, type Told } from "./told.ts";
import { plain, ValueWriter } from "./values.ts";

/** With the amounts that it states. */
export interface Sentence extends Phrase {
  amounts: readonly ToldAmount[];
}

/** Every value passes a typed formatter. Where a value outside of clauses has no words, the template gives no text. */
export class SentenceWriter {
  readonly #assets: AssetNames;
  readonly #teller: Teller;
  readonly #verbs: VerbTable;
  readonly #flows: FlowPhrases;
  readonly #values: ValueWriter;

  constructor(labels: Labels, assets: AssetNames, { teller, verbs }: { teller: Teller; verbs: VerbTable }) {
    this.#assets = assets;
    this.#teller = teller;
    this.#verbs = verbs;
    this.#flows = new FlowPhrases(assets, teller, (address) => this.address(address));
    this.#values = new ValueWriter(labels, assets, { teller, flows: this.#flows });
  }

  /** undefined: a placeholder outside of clauses has no value, amount 0 or the zero address. */
  write(template: Template, told: Told): Sentence | undefined {
    const amounts = this.#assets.record();
    const phrase = this.#parts(template.parts, told);
    // A copy: the list grows later.
    return phrase && { ...phrase, amounts: [...amounts] };
  }

  /** In the captures, apart from the account. */
  others({ rule, context }: Pick<Told, "rule" | "context">): Phrase[] {
    const showing = { rule, context, facet: null, zeros: false };
    return [...rule.captures.values()].flatMap((capture) =>
      isOther(capture) ? (this.#values.value(capture, showing) ?? []) : [],
    );
  }

  /** Chain of the payout; `isOwn`: names only the account. */
  place({ rule, context }: Pick<Told, "rule" | "context">): { chain: Phrase | undefined; isOwn: boolean } {
    const captures = [...rule.captures.values()];
    const named = captures.map((one) => (one.kind === "field" ? one.value : one)).filter((one) => one.kind === "other");
    const chain = captures.find((one) => one.kind === "chain");
    return {
      chain: chain && this.#values.value(chain, { rule, context, facet: null, zeros: false }),
      isOwn: named.length > 0 && named.every(({ get }) => readAddress(get(context)) === context.subject),
    };
  }

  /** By arguments alone; undefined: has no words. */
  told(capture: CompiledCapture, args: readonly Value[]): Phrase | undefined {
    const rule = { captures: new Map(), protocol: null, tier: tierRank("fallback") };
    return this.#values.value(capture, { rule, context: { args } as MatchContext, facet: null, zeros: false });
  }

  given(context: MatchContext): { amount: Phrase; others: Phrase } {
    const nothing = { text: "", untrusted: false };
    return { amount: this.#flows.side(context, "gives") ?? nothing, others: this.#flows.others(context) ?? nothing };
  }

  address(address: Address): string {
    return this.#values.address(address);
  }

  #parts(parts: readonly Part[], told: Told): Phrase | undefined {
    return fillParts(parts, (part) => this.#part(part, told));
  }

  #part(part: Exclude<Part, string>, told: Told): Phrase | undefined {
    if (part.kind === "value") return this.#placeholder(part, told);
    return part.kind === "verb" ? this.#verb(part, told) : this.#clause(part, told);
  }

  /** Left out where a number is zero or means "all". */
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

  #placeholder(part: Placeholder, { rule, context, also }: Told): Phrase | undefined {
    const capture = rule.captures.get(part.capture);
    if (capture !== undefined) return this.#values.value(capture, { rule, context, facet: part.facet, zeros: false });
    switch (part.capture) {
      case "subject":
        return plain(part.facet === "full" ? checksum(context.subject) : this.#teller.short(context.subject));
      case "protocol":
        return plain(rule.protocol ?? undefined);
      case "gives":
      case "gets":
        return this.#flows.side(context, part.capture, rule.etherPays);
      case "contract":
        return this.#values.party(context.log?.address ?? context.call?.to ?? context.target, part.facet);
      case "others":
        return this.#flows.others(context);
      case "chief":
        return this.#flows.chief(context);
      case "shares":
        return this.#flows.shares(context);
      case "payee":
        return this.#flows.payee(context);
      case "senders":
        return this.#flows.senders(context);
      case "elsewhere":
        return this.#flows.elsewhere(context);
      default:
        return also?.get(part.capture);
    }
  }
}

function isOther(capture: CompiledCapture): boolean {
  if (capture.kind === "list") return capture.items.every(isOther);
  return capture.kind === "field" ? isOther(capture.value) : capture.kind === "other";
}
