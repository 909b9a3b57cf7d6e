import { type Address, checksum } from "../../../kernel/address.ts";
import { namedMembers } from "../../../rules/abi/abi-type.ts";
import { orLeaveOut, unsupported } from "../descriptor/part.ts";
import { slugOf } from "../descriptor/plain-text.ts";
import { printable } from "../report.ts";
import { namesAct } from "./act-words.ts";
import { type CallSite, type RuleText, writeCallRules } from "./call-rules.ts";
import { findCall } from "./example-call.ts";
import { carriedClause, carriesLines, type Form, fieldLines, formsOf, formWords } from "./forms.ts";
import type { Intent } from "./intent.ts";

/** The contracts' role; further ones are numbered. */
const role = "contract";

export interface RuleFileInput {
  /** Protocol id, and name of the file. */
  slug: string;
  /** File name. */
  source: string;
  addresses: readonly Address[];
  /** Of the descriptor; known addresses keep theirs. */
  name: string;
  nameOf(address: Address): string | undefined;
  intents: readonly PlacedIntent[];
}

/** An intent, with the contracts at which no other rule states it. */
export interface PlacedIntent extends Intent {
  addresses: readonly Address[];
}

/** Text and number of rules; undefined for none. Functions without an example are reported. */
export function writeRuleFile(input: RuleFileInput): { text: string; rules: number } | undefined {
  const { slug, source, name, nameOf, intents } = input;
  const roles = rolesOf(input);
  const [abi, rules, messages, examples]: [string[], string[], string[], string[]] = [[], [], [], []];
  const [keys, ids] = [new Set(["any", "plain", "delegated"]), new Set<string>()];
  for (const intent of intents)
    orLeaveOut(intent.part, () => {
      const key = firstFree(intent.item.name, "", (text) => !keys.has(text));
      const write = intent.item.kind === "message" ? writeMessageRules : writeCallRules;
      const place = {
        key,
        roles: roles.filter(({ all }) => all.every((one) => intent.addresses.includes(one))).map(({ role }) => role),
      };
      const stem = firstFree(slugOf(key), "-", (text) => write(intent, text, place).every(({ id }) => !ids.has(id)));
      keys.add(key);
      abi.push(`  ${key}: ${JSON.stringify(intent.text)}`);
      for (const rule of write(intent, stem, place)) {
        ids.add(rule.id);
        (intent.item.kind === "message" ? messages : rules).push(...rule.lines);
        examples.push(...rule.example);
      }
    });
  if (abi.length === 0) return undefined;
  const lines = [
    "# yaml-language-server: $schema=../../schemas/rule.schema.json",
    `# Compiled by txgloss import-erc7730 from ${printable(source)}: what its author says that it is meant to do.`,
    `protocol: ${slug}`,
    "kind: standard",
    `source: ${JSON.stringify(`unverified: ERC-7730 descriptor ${printable(source)}`)}`,
    "contracts:",
    ...roles.flatMap(({ role, all }) => [`  ${role}:`, ...labelLines(all, (address) => nameOf(address) ?? name)]),
    "abi:",
    ...abi,
    ...(rules.length === 0 ? [] : ["rules:", ...rules]),
    ...(messages.length === 0 ? [] : ["messages:", ...messages]),
    "examples:",
    ...examples,
  ];
  return { text: lines.map((line) => `${line}\n`).join(""), rules: ids.size };
}

/** YAML: one label may have several addresses. */
function labelLines(addresses: readonly Address[], labelOf: (address: Address) => string): string[] {
  return [...Map.groupBy(addresses, labelOf)].map(([label, own]) => {
    const texts = own.map((address) => `"${checksum(address)}"`);
    return `    ${JSON.stringify(label)}: ${texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`}`;
  });
}

/** Groups contracts by the functions stated there; nearly always one group. */
function rolesOf({ addresses, intents }: RuleFileInput): { role: string; all: readonly Address[] }[] {
  const toldAt = (address: Address): string =>
    intents.map((intent) => (intent.addresses.includes(address) ? "1" : "0")).join("");
  const groups = [...Map.groupBy(addresses, toldAt)].filter(([told]) => told.includes("1"));
  return groups.map(([, all], i) => ({ role: i === 0 ? role : `${role}_${i + 1}`, all }));
}

/** Adds `mark` and the first free number from 2 on to a text that is not free. */
export function firstFree(text: string, mark: string, isFree: (text: string) => boolean): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? text : `${text}${mark}${n}`;
    if (isFree(candidate)) return candidate;
  }
}

/** Throws UnsupportedError without an example. */
function writeMessageRules(intent: Intent, stem: string, site: CallSite): RuleText[] {
  const bare = findCall(intent.item, { must: intent.musts }) ?? unsupported("conditions that no example meets");
  const forms = formsOf(intent, bare);
  // Where several rules fit, the first one is told.
  return forms.map((form, i) => {
    const id = i + 1 < forms.length ? `${stem}-detailed` : stem;
    return { id, lines: ruleLines(intent, id, form, site), example: exampleLines(intent, id, form) };
  });
}

function ruleLines(intent: Intent, id: string, form: Form, { key, roles }: CallSite): string[] {
  return [
    `  - id: ${id}`,
    "    action: contract_interaction",
    `    message: ${key}`,
    `    at: ${roles.length === 1 ? roles[0] : `[${roles.join(", ")}]`}`,
    "    after: everything",
    ...carriesLines(intent, "    "),
    ...fieldLines(intent, form, "    "),
    `    say: ${JSON.stringify(`${signed(form)}${carriedClause(intent)}`)}`,
  ];
}

/** A verb says what it is signed for; other words are a name: `sign the message "DAO token" for {contract}`. */
function signed(form: Form): string {
  if (form.inside.length > 0 || namesAct(form.words)) return `sign for {contract} to ${formWords(form)}`;
  return `sign the message "${form.words}" for ${formWords({ ...form, words: "{contract}" })}`;
}

function exampleLines({ item }: Intent, id: string, form: Form): string[] {
  return [
    `  - name: ${id}`,
    "    given:",
    "      from: alice",
    `      message: ${JSON.stringify(namedMembers(item.inputs, form.call.args))}`,
    `    rule: ${id}`,
    "    action: contract_interaction",
  ];
}
