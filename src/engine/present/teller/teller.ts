import { type Address, checksum, shorten } from "../../../kernel/address.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Fill, PhraseId, Statement } from "../../../rules/ruleset/wording/phrases.ts";
import type { PlaceholderKind } from "../../../rules/ruleset/wording/placeholder.ts";
import type { Wording } from "../../../rules/ruleset/wording/wording.ts";

/** Phrases of rules/wording.yaml; every value is formatted by its kind. */
export class Teller {
  readonly #wording: Wording;
  readonly short: (address: Address) => string;

  constructor(wording: Wording, short: (address: Address) => string = shorten) {
    this.#wording = wording;
    this.short = short;
  }

  /** Untrusted when a value is. */
  say<I extends PhraseId>(id: I, fill: Fill<I>): Phrase {
    const values: Readonly<Record<string, unknown>> = fill;
    const forms = this.#wording.phrases[id];
    let text = "";
    let untrusted = false;
    for (const part of values.count === 1 ? forms.one : forms.other) {
      if (typeof part === "string") {
        text += part;
        continue;
      }
      const value = values[part.name];
      const said = this.#format(part.kind, value);
      text += part.opening ? said.charAt(0).toUpperCase() + said.slice(1) : said;
      untrusted ||= part.kind === "phrase" && (value as Phrase).untrusted;
    }
    return { text, untrusted };
  }

  /** Without values. */
  words(id: { [I in PhraseId]: keyof Fill<I> extends never ? I : never }[PhraseId]): string {
    return this.say(id, {}).text;
  }

  /** Puts a statement of an earlier stage into words. */
  tell({ says, fill }: Statement): string {
    return this.say(says, fill as Fill<typeof says>).text;
  }

  /** undefined: not a code of Solidity. */
  panic(code: bigint): string | undefined {
    return this.#wording.panics.get(code);
  }

  #format(kind: PlaceholderKind, value: unknown): string {
    switch (kind) {
      case "text":
        return value as string;
      case "number":
        return String(value);
      case "address":
        return checksum(value as Address);
      case "short":
        return this.short(value as Address);
      case "addresses":
        return (value as readonly Address[]).map(checksum).join(", ");
      case "clause":
        return this.tell(value as Statement);
      case "clauses":
        return (value as readonly Statement[]).map((clause) => this.tell(clause)).join("; ");
      case "phrase":
        return (value as Phrase).text;
    }
  }
}
