import type { Diagnostic } from "../../../../model/diagnostic.ts";
import { parseSignature } from "../../../abi/signature-parser.ts";
import { createReporter, type Reporter } from "../../../documents/reporter.ts";
import type { SourceDocument } from "../../../documents/source-document.ts";
import { WrittenPlaces } from "../written-places.ts";
import { saidContracts } from "./contracts.ts";
import { NormalDraft } from "./draft.ts";
import { isEntry, mapEntry, type SaidEntry } from "./entry.ts";
import { type FileNames, fileNames, namesOfCall } from "./file-names.ts";
import { normalRule } from "./rule.ts";
import { checkNone, overlay, type RuleList, raiseMessage, SaidRule, sayRules } from "./said-rule.ts";
import { captureOf } from "./values.ts";
import { wrapperOf } from "./wrapper.ts";

/**
 * Rule files in the normal form, which the compiler reads: names and sentences are written out, `like` of rules too. Places are found by
 * paths of the normal form. Mistakes become diagnostics; a rule with one is left out.
 */
export function normalForms(opened: readonly SourceDocument[], diagnostics: Diagnostic[]): SourceDocument[] {
  const written = opened.filter(({ value, checked }) => checked !== true && isEntry(value));
  const byProtocol = new Map(
    written.toReversed().map(({ value }) => [(value as SaidEntry).protocol, value as SaidEntry]),
  );
  return opened.map((source) => {
    if (!written.includes(source)) return source;
    const file = source.value as SaidEntry;
    const base = file.like === file.protocol ? undefined : byProtocol.get(file.like);
    return new NormalFile(file, base, createReporter(source, diagnostics)).of(source);
  });
}

const fileWords: Readonly<Record<string, string>> = { wrappers: "unwrap", rights: "grants", programs: "steps" };

class NormalFile {
  readonly #file: SaidEntry;
  readonly #base: SaidEntry | undefined;
  readonly #names: FileNames;
  readonly #places = new WrittenPlaces();
  readonly #reporter: Reporter;

  constructor(file: SaidEntry, base: SaidEntry | undefined, reporter: Reporter) {
    this.#file = file;
    this.#base = base;
    this.#names = fileNames(file, base);
    this.#reporter = reporter;
  }

  of(source: SourceDocument): SourceDocument {
    const { rules, messages, roles: _roles, values: _values, contracts, ...rest } = this.#file;
    const value: SaidEntry = {};
    for (const [word, one] of Object.entries(rest)) {
      const own = fileWords[word] ?? word;
      if (own !== word) this.#places.mark([own], { path: [word] });
      value[own] = one;
    }
    if (contracts !== undefined) value.contracts = saidContracts(contracts as SaidEntry, this.#places, this.#reporter);
    if (value.unwrap !== undefined) value.unwrap = this.#wrappers(value.unwrap as SaidEntry[]);
    if (value.causes !== undefined) value.causes = this.#causes(value.causes as SaidEntry);
    if (rules !== undefined || messages !== undefined) value.rules = this.#rules();
    return { ...this.#places.translate(source, undefined), value };
  }

  #rules(): SaidEntry[] {
    const made: SaidEntry[] = [];
    for (const list of ["rules", "messages"] as const) {
      const originals = new Map(sayRules(list, this.#entries(list, this.#base)).map((one) => [one.whole.id, one]));
      for (const said of sayRules(list, this.#entries(list, this.#file), this.#reporter)) {
        const original = this.#amended(said, originals);
        const rule = original === undefined ? this.#rule(said, made.length) : this.#amend(said, original, made.length);
        if (rule !== undefined) made.push(rule);
      }
    }
    return made;
  }

  #entries(list: RuleList, file: SaidEntry = {}): SaidEntry[] {
    return (file[list] as SaidEntry[] | undefined) ?? [];
  }

  /** The rule of the other file that a rule without `action` amends. */
  #amended({ own }: SaidRule, originals: ReadonlyMap<unknown, SaidRule>): SaidRule | undefined {
    return own.action === undefined && own.like === undefined ? originals.get(own.id) : undefined;
  }

  #rule(said: SaidRule, position: number, isReported = true): SaidEntry | undefined {
    const draft = new NormalDraft(["rules", position], this.#places, isReported ? this.#reporter : undefined);
    return normalRule(said, draft, this.#names);
  }

  /** What a rule says otherwise than the one that it amends; all of it where it takes something away. */
  #amend({ list, position, own }: SaidRule, original: SaidRule, at: number): SaidEntry | undefined {
    const kept = list === "messages" ? raiseMessage(own) : own;
    checkNone(kept, original.whole, (path) =>
      this.#reporter.report(
        "RL216",
        [list, position, ...path],
        `\`${own.id}\` says nothing here that \`none\` could take away`,
      ),
    );
    const known = this.#rule(original, at, false);
    const made = this.#rule(new SaidRule(list, position, own, overlay(original.whole, kept)), at);
    if (known === undefined || made === undefined) return undefined;
    if (Object.keys(known).some((field) => !alone.has(field) && made[field] === undefined)) return made;
    const isOther = ([field, value]: [string, unknown]) =>
      field === "id" || alone.has(field) || JSON.stringify(value) !== JSON.stringify(known[field]);
    return Object.fromEntries(Object.entries(made).filter(isOther));
  }

  #wrappers(entries: SaidEntry[]): SaidEntry[] {
    const made: SaidEntry[] = [];
    for (const [i, entry] of entries.entries()) {
      const at = ["unwrap", made.length];
      const one = wrapperOf(entry, at, ["wrappers", i], this.#names, this.#places, this.#reporter);
      if (one !== undefined) made.push(one);
    }
    return made;
  }

  /** Words with values of the error's arguments in them. */
  #causes(causes: SaidEntry): SaidEntry {
    const draft = new NormalDraft(["causes"], this.#places, this.#reporter);
    for (const [error, cause] of Object.entries(causes)) {
      const values = isEntry(cause) ? (cause.with as SaidEntry) : {};
      draft.put(error, { path: ["causes", error] }, () => cause);
      if (!isEntry(cause)) continue;
      const names = { ...namesOfCall("", this.#names), args: argumentsOf(error) };
      const at = ["causes", error, "with"];
      const told = new NormalDraft(at, this.#places, this.#reporter);
      for (const [name, one] of Object.entries(values))
        told.put(name, { path: [...at, name] }, (own, from) =>
          captureOf(one, names, false, { places: this.#places, at: own, from }),
        );
      draft.entry[error] = { ...cause, with: mapEntry(told.entry, (one) => one) };
    }
    return draft.entry;
  }
}

/** About one rule alone, so not compared with the other file's. */
const alone: ReadonlySet<string> = new Set(["example", "survives"]);

function argumentsOf(error: string) {
  try {
    return parseSignature(error).inputs;
  } catch {
    return null;
  }
}
