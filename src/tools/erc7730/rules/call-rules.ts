import { unsupported } from "../descriptor/part.ts";
import { findCall } from "./example-call.ts";
import {
  alsoLines,
  besideMovements,
  carriedClause,
  carriesLines,
  type Form,
  fieldLines,
  formsOf,
  formWords,
  withoutEther,
} from "./forms.ts";
import type { Intent } from "./intent.ts";

/** Name under `abi`, and roles of its contracts. */
export interface CallSite {
  key: string;
  roles: readonly string[];
}

/** YAML of a rule and its examples. */
export interface RuleText {
  id: string;
  lines: readonly string[];
  example: readonly string[];
}

/** Rules about one function. Throws UnsupportedError without an example. */
export function writeCallRules(intent: Intent, stem: string, site: CallSite): RuleText[] {
  return makeRules(intent, stem).map((rule) => ({
    id: rule.id,
    lines: ruleLines(intent, rule, site),
    example: exampleLines(rule, site),
  }));
}

const transferOf = (token: string, from: string, to: string) =>
  `        - { transfer: { token: "0x${token}${"20".repeat(19)}", from: ${from}, to: ${to}, amount: "5" } }`;

/** What a call moved; each kind has its own sentence. */
type SentenceKind = "nothing" | "giving" | "getting" | "exchanging";

const kinds: readonly SentenceKind[] = ["nothing", "giving", "getting", "exchanging"];

/** `money`, end of the sentence, and movements of the example. */
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
    // One token for one other token would be a swap.
    logs: [transferOf("22", "alice", "bob"), transferOf("20", "alice", "bob"), transferOf("21", "bob", "alice")],
  },
};

/** The kinds in which more moved. */
function overriddenBy(kind: SentenceKind): readonly SentenceKind[] {
  if (kind === "nothing") return kinds.slice(1);
  return kind === "exchanging" ? [] : ["exchanging"];
}

interface IntentRule extends Form {
  id: string;
  kind: SentenceKind;
  /** Rule ids. */
  overrides: readonly string[];
  /** Of a reverted call. */
  attempts: readonly Form[];
}

/**
 * Ids start with `stem`. One of four sentences by what moved; the first rule also states reverted calls. All yield to any other action.
 * Throws UnsupportedError without an example.
 */
function makeRules(intent: Intent, stem: string): IntentRule[] {
  const bare = findCall(intent.item, { must: intent.musts }) ?? unsupported("conditions that no example meets");
  // A call that must carry ether always gives something.
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
  // An attempt also needs the conditions of its rule. So attempts belong to the plain rule, which has the fewest.
  const plain = rules.find(({ kind, id }) => id === idOf(kind));
  return rules.map((rule) => (rule === plain ? { ...rule, attempts } : rule));
}

function ruleLines(intent: Intent, rule: IntentRule, { key, roles }: CallSite): string[] {
  const { id, kind, overrides, attempts } = rule;
  return [
    `  - id: ${id}`,
    "    action: contract_interaction",
    `    anchor: { call: ${key} }`,
    `    at: ${roles.length === 1 ? roles[0] : `[${roles.join(", ")}]`}`,
    `    money: { ${variants[kind].flow} }`,
    ...alsoLines(intent),
    ...fieldLines(intent, rule, "    "),
    ...(overrides.length === 0 ? [] : [`    before: [${overrides.join(", ")}]`]),
    "    after: everything",
    `    say: ${sentenceText(intent, rule, kind)}`,
    ...(attempts.length === 0 ? [] : ["    tried:"]),
    ...attempts.flatMap((attempt) => [
      `      - call: ${key}`,
      ...carriesLines(intent, "        "),
      ...fieldLines(intent, attempt, "        "),
      `        say: ${sentenceText(intent, attempt, "nothing")}`,
    ]),
  ];
}

/** YAML: `"call {contract} to deposit into the vault[, with {fields}]"`. */
function sentenceText(intent: Intent, form: Form, kind: SentenceKind): string {
  return JSON.stringify(`call {contract} to ${formWords(form)}${carriedClause(intent)}${variants[kind].ending}`);
}

/** A call for the rule, and the same at an untrusted contract, which it must not state. */
function exampleLines({ id, kind, call }: IntentRule, { roles }: CallSite): string[] {
  const { logs } = variants[kind];
  return [
    `  - name: ${id}`,
    "    given:",
    "      from: alice",
    `      to: ${roles[0]}`,
    ...(call.value === 0n ? [] : [`      value: "${call.value}"`]),
    `      data: "${call.data}"`,
    ...(logs.length === 0 ? [] : ["      logs:", ...logs]),
    `    rule: ${id}`,
    "    action: contract_interaction",
    `  - { name: ${id} at an untrusted contract, like: ${id}, untrusted: [${roles.join(", ")}], not: ${id} }`,
  ];
}
