import { type Address, checksum } from "../../kernel/address.ts";
import { canonicalJson } from "../../kernel/canonical.ts";
import { orLeaveOut, unsupported } from "../descriptor/part.ts";
import { slugOf } from "../descriptor/plain-text.ts";
import { printable } from "../report.ts";
import { type ExampleCall, findCall } from "./example-call.ts";
import type { Condition } from "../fields/condition.ts";
import type { Intent, IntentDetail } from "./intent.ts";

/** What one rule file of intents is made of. */
export interface RuleFileInput {
  /** Id and file name of the file. */
  slug: string;
  /** File name of the descriptor. */
  source: string;
  addresses: readonly Address[];
  /** The contract's name by its descriptor; addresses that are known keep the names that they have. */
  name: string;
  nameOf(address: Address): string | undefined;
  intents: readonly Intent[];
}

/** The text of a rule file, and how many rules it holds. Functions without an example are reported; undefined when none is left. */
export function writeRuleFile(input: RuleFileInput): { text: string; rules: number } | undefined {
  const { slug, source, addresses, name, nameOf, intents } = input;
  const [abi, rules, examples]: [string[], string[], string[]] = [[], [], []];
  const [keys, ids] = [new Set(["any", "plain"]), new Set<string>()];
  for (const intent of intents)
    orLeaveOut(intent.part, () => {
      const key = firstFree(intent.item.name, "", (text) => !keys.has(text));
      const stem = firstFree(slugOf(key), "-", (text) => makeRules(intent, text).every(({ id }) => !ids.has(id)));
      keys.add(key);
      abi.push(`  ${key}: ${JSON.stringify(intent.text)}`);
      for (const rule of makeRules(intent, stem)) {
        ids.add(rule.id);
        rules.push(...ruleLines(intent, rule, key));
        examples.push(...exampleLines(rule));
      }
    });
  if (abi.length === 0) return undefined;
  const lines = [
    "# yaml-language-server: $schema=../../schemas/rule.schema.json",
    `# Compiled by txgloss import-erc7730 from ${printable(source)}: what its author says that calls are meant to do.`,
    `protocol: ${slug}`,
    "kind: standard",
    `source: ${JSON.stringify(`unverified: ERC-7730 descriptor ${printable(source)}`)}`,
    "contracts:",
    `  ${role}:`,
    ...addresses.map((address) => `    "${checksum(address)}": ${JSON.stringify(nameOf(address) ?? name)}`),
    "abi:",
    ...abi,
    "rules:",
    ...rules,
    "examples:",
    ...examples,
  ];
  return { text: lines.map((line) => `${line}\n`).join(""), rules: ids.size };
}

/** `text`, else with the first number from 2 on that is free. */
export function firstFree(text: string, mark: string, isFree: (text: string) => boolean): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? text : `${text}${mark}${n}`;
    if (isFree(candidate)) return candidate;
  }
}

/** The one role of a rule file: all deployments of the descriptor. */
const role = "contract";

const transferOf = (token: string, from: string, to: string) =>
  `        - { transfer: { token: "0x${token}${"20".repeat(19)}", from: ${from}, to: ${to}, amount: "5" } }`;

/** What a call moved, as far as its sentence differs by that. */
type SentenceKind = "nothing" | "giving" | "getting" | "exchanging";

const kinds: readonly SentenceKind[] = ["nothing", "giving", "getting", "exchanging"];

/** One rule for each thing that a call can move: what its flow says, the end of its sentence, the movements of its example. */
const variants: Readonly<Record<SentenceKind, { flow: string; ending: string; logs: readonly string[] }>> = {
  nothing: { flow: "gives: nothing, gets: nothing", ending: "", logs: [] },
  giving: { flow: "gives: some, gets: nothing", ending: ", giving {gives}", logs: [transferOf("20", "alice", "bob")] },
  getting: {
    flow: "gives: nothing, gets: some",
    ending: ", receiving {gets}",
    logs: [transferOf("20", "bob", "alice")],
  },
  exchanging: {
    flow: "gives: some, gets: some",
    ending: ", giving {gives} and receiving {gets}",
    // One for one would be a swap.
    logs: [transferOf("22", "alice", "bob"), transferOf("20", "alice", "bob"), transferOf("21", "bob", "alice")],
  },
};

/** The kinds whose rules yield to those of a kind: each in which more is moved. */
function overriddenBy(kind: SentenceKind): readonly SentenceKind[] {
  if (kind === "nothing") return kinds.slice(1);
  return kind === "exchanging" ? [] : ["exchanging"];
}

/** A way to tell a call: what its sentence says, and a call that shows it. */
interface Form {
  /** As it stands after "to". */
  words: string;
  /** Fields between the words, by number: `{field_1}`. */
  inside: readonly IntentDetail[];
  /** Fields behind the words, each with its label. */
  behind: readonly IntentDetail[];
  call: ExampleCall;
}

interface IntentRule extends Form {
  id: string;
  kind: SentenceKind;
  /** Ids of the rules that yield to it. */
  overrides: readonly string[];
  /** How it tells a reverted call. */
  attempts: readonly Form[];
}

/**
 * The rules of one intent, with ids that start with `stem`: what moved decides between four sentences, and the first rule tells
 * what reverted. All yield to any other action. Throws UnsupportedError when no example can be made.
 */
function makeRules(intent: Intent, stem: string): IntentRule[] {
  const bare = findCall(intent.item, { must: intent.musts }) ?? unsupported("conditions that no example meets");
  // A call that must carry ether never gives nothing.
  const fits = (kind: SentenceKind): boolean => bare.value === 0n || kind === "giving" || kind === "exchanging";
  const idOf = (kind: SentenceKind): string => (kind === "nothing" ? stem : `${stem}-${kind}`);
  const rules = kinds.filter(fits).flatMap((kind) => {
    const [id, overrides] = [idOf(kind), overriddenBy(kind).filter(fits).map(idOf)];
    const forms = formsOf(kind === "nothing" ? withoutEther(intent) : besideMovements(intent), bare);
    return forms.map((form, i): IntentRule => {
      const rule = { ...form, id, kind, overrides, attempts: [] };
      return i + 1 < forms.length ? { ...rule, id: `${id}-detailed`, overrides: [id, ...overrides] } : rule;
    });
  });
  const attempts = formsOf(intent, bare);
  return rules.map((rule, i) => (i === 0 ? { ...rule, attempts } : rule));
}

/** The interpolated intent where its values can be told, and the plain one with all fields behind it. */
function formsOf({ item, musts, part, words, details, sentence }: Intent, bare: ExampleCall): Form[] {
  const plain = { words, inside: [], behind: details, call: findCall(item, { must: musts, full: true }) ?? bare };
  if (sentence === undefined) return [plain];
  const needed = sentence.told.flatMap(conditionsOf);
  const call = findCall(item, { must: [...musts, ...needed], full: true });
  if (call === undefined) {
    part.note("fields whose conditions no example meets");
    return [plain];
  }
  const form = { words: sentence.text, inside: sentence.told, behind: sentence.others, call };
  if (needed.every(({ where }) => where === undefined)) return [form];
  const missed = findCall(item, { must: musts, not: needed });
  return missed === undefined ? [form] : [form, { ...plain, call: missed }];
}

function conditionsOf({ conditions, shown }: IntentDetail): Condition[] {
  return [...conditions, ...shown];
}

/** Ether that was paid is told as what the subject gave, not as a field. */
function withoutEther(intent: Intent): Intent {
  return keepDetails(intent, ({ capture }) => !Object.values(capture).includes("call.value"));
}

/** Where something moved, amounts are told as it moved. */
function besideMovements(intent: Intent): Intent {
  const { sentence, ...others } = intent;
  return keepDetails(others, ({ capture }) => !Object.hasOwn(capture, "amount"));
}

function keepDetails(intent: Intent, isKept: (detail: IntentDetail) => boolean): Intent {
  const { sentence, ...others } = intent;
  const kept = { ...others, details: intent.details.filter(isKept) };
  if (sentence === undefined || !sentence.told.every(isKept)) return kept;
  return { ...kept, sentence: { ...sentence, others: sentence.others.filter(isKept) } };
}

/** The rule in YAML. `key` is the function's name under `abi`. */
function ruleLines(intent: Intent, rule: IntentRule, key: string): string[] {
  const { id, kind, overrides, attempts } = rule;
  return [
    `  - id: ${id}`,
    "    action: contract_interaction",
    `    call: ${key}`,
    `    at: ${role}`,
    "    yields: true",
    `    flow: { ${variants[kind].flow} }`,
    ...fieldLines(intent, rule, "    "),
    ...(overrides.length === 0 ? [] : [`    overrides: [${overrides.join(", ")}]`]),
    `    does: ${sentenceText(rule, kind)}`,
    ...(attempts.length === 0 ? [] : ["    attempts:"]),
    ...attempts.flatMap((attempt) => [
      `      - call: ${key}`,
      ...fieldLines(intent, attempt, "        "),
      `        does: ${sentenceText(attempt, "nothing")}`,
    ]),
  ];
}

/** The sentence of a rule in YAML: `"call {contract} to deposit into the vault[, with {fields}]"`. */
function sentenceText({ words, behind }: Form, kind: SentenceKind): string {
  const fields = behind.length === 0 ? "" : "[, with {fields}]";
  return JSON.stringify(`call {contract} to ${words}${fields}${variants[kind].ending}`);
}

/** The conditions and captures of the fields that are told. */
function fieldLines({ musts }: Intent, { inside, behind }: Form, pad: string): string[] {
  const conditions = [...musts, ...inside.flatMap(conditionsOf)];
  const where = new Set(conditions.flatMap((one) => (one.where === undefined ? [] : [canonicalJson(one.where)])));
  const [first, ...others] = behind.map(fieldCapture);
  return [
    ...(where.size === 0 ? [] : [`${pad}where:`, ...[...where].map((one) => `${pad}  - ${one}`)]),
    ...(inside.length + behind.length === 0 ? [] : [`${pad}capture:`]),
    ...inside.map(({ capture }, i) => `${pad}  field_${i + 1}: ${JSON.stringify(capture)}`),
    ...(first === undefined ? [] : [`${pad}  fields:${others.length === 0 ? ` ${first}` : ""}`]),
    ...(first === undefined || others.length === 0 ? [] : [first, ...others].map((one) => `${pad}    - ${one}`)),
  ];
}

/** A field with its label, as a capture. */
function fieldCapture({ label, capture, each, shown }: IntentDetail): string {
  const wheres = shown.flatMap(({ where }) => (where === undefined ? [] : [where]));
  const when = wheres.length === 0 ? {} : { when: wheres.length === 1 ? wheres[0] : { and: wheres } };
  return JSON.stringify({ label, ...(each === null ? {} : { each }), ...when, ...capture });
}

/** One call that the rule explains, and the same call of an untrusted contract. */
function exampleLines({ id, kind, call }: IntentRule): string[] {
  const { logs } = variants[kind];
  return [
    `  - name: ${id}`,
    "    given:",
    "      from: alice",
    `      to: ${role}`,
    ...(call.value === 0n ? [] : [`      value: "${call.value}"`]),
    `      data: "${call.data}"`,
    ...(logs.length === 0 ? [] : ["      logs:", ...logs]),
    `    rule: ${id}`,
    "    action: contract_interaction",
    `  - { name: ${id} at an untrusted contract, like: ${id}, untrusted: [${role}], not: ${id} }`,
  ];
}
