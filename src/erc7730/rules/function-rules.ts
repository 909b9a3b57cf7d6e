import { canonicalJson } from "../../kernel/canonical.ts";
import { unsupported } from "../descriptor/part.ts";
import type { Condition } from "../fields/condition.ts";
import type { IntentDetail } from "./detail.ts";
import { callThatFits, callThatMisses, type ExampleCall } from "./example-call.ts";
import type { Intent } from "./intent.ts";
import { type SentenceKind, writeSentence } from "./sentence.ts";

/** The lines of one function's rules and examples. */
export interface FunctionRules {
  ids: string[];
  rules: string[];
  examples: string[];
}

/** The one role of a rule file: all deployments of the descriptor. */
export const role = "contract";

/** One rule for each thing that a call can move, and what tells a reverted call. */
interface Variant {
  suffix: string;
  kind: SentenceKind;
  flow?: { gives: string; gets: string };
  /** Variants of the same function that this one overrides. */
  over: string[];
}

const variants: readonly Variant[] = [
  {
    suffix: "",
    kind: "nothing",
    flow: { gives: "nothing", gets: "nothing" },
    over: ["-giving", "-getting", "-exchanging"],
  },
  { suffix: "-giving", kind: "giving", flow: { gives: "some", gets: "nothing" }, over: ["-exchanging"] },
  { suffix: "-getting", kind: "getting", flow: { gives: "nothing", gets: "some" }, over: ["-exchanging"] },
  { suffix: "-exchanging", kind: "exchanging", flow: { gives: "some", gets: "some" }, over: [] },
  { suffix: "-attempt", kind: "attempt", over: [] },
];

/** One function, the start of its rules' ids and its key under `abi`. */
interface Target {
  intent: Intent;
  key: string;
  stem: string;
}

interface Rule {
  id: string;
  variant: Variant;
  /** The fields that it tells, and the call that shows it. */
  details: readonly IntentDetail[];
  call: ExampleCall;
  overrides: string[];
}

/**
 * The rules of one intent: what moved decides between four sentences, and the first rule tells what reverted. Where fields can be told,
 * calls without movements and reverted ones have a second rule with them. All yield to any other action. Throws UnsupportedError
 * when no example can be made.
 */
export function writeFunction(target: Target): FunctionRules {
  const forms = rulesOf(target);
  const rules = forms.filter(({ variant }) => variant.kind !== "attempt");
  const attempts = forms.filter(({ variant }) => variant.kind === "attempt");
  if (rules.length === 0) unsupported("conditions that no example meets");
  return {
    ids: rules.map(({ id }) => id),
    rules: rules.flatMap((rule, i) => [...ruleLines(target, rule), ...(i === 0 ? attemptLines(target, attempts) : [])]),
    examples: rules.flatMap(exampleLines),
  };
}

function rulesOf({ intent, stem }: Target): Rule[] {
  const { item, musts } = intent;
  const bare = callThatMisses(item, { musts, told: [never], reads: [] });
  if (bare === undefined) return [];
  // A call that must carry ether never gives nothing.
  const fitting = variants.filter(({ flow }) => bare.value === 0n || flow?.gives !== "nothing");
  return fitting.flatMap((variant): Rule[] => {
    const id = `${stem}${variant.suffix}`;
    const own = variant.over.filter((suffix) => fitting.some((other) => other.suffix === suffix));
    const overrides = own.map((suffix) => `${stem}${suffix}`);
    const plain = { id, variant, details: [], call: bare, overrides };
    const details = detailsFor(intent, variant.kind);
    if (details.length === 0) return [plain];
    const told = details.flatMap(({ conditions }) => conditions);
    const asked = { musts, told, reads: details.flatMap(({ reads }) => reads) };
    const call = callThatFits(item, asked);
    if (call === undefined) {
      intent.part.note("fields whose conditions no example meets");
      return [plain];
    }
    const missed = told.length === 0 ? undefined : callThatMisses(item, asked);
    if (missed === undefined) return [{ ...plain, details, call }];
    return [
      { id: `${id}-detailed`, variant, details, call, overrides: [id, ...overrides] },
      { ...plain, call: missed },
    ];
  });
}

/** A condition that holds of no call. */
const never: Condition = { slot: null, elements: 0, where: { uint_lt: [{ var: "call.value" }, "0"] }, candidates: [] };

/** Calls that moved nothing and reverted ones tell fields; ether that was paid is told as what the subject gave. */
function detailsFor({ details, sentence }: Intent, kind: SentenceKind): readonly IntentDetail[] {
  if (kind === "attempt") return details;
  if (kind !== "nothing") return [];
  const others = details.filter(({ capture }) => !Object.values(capture).includes("call.value"));
  return sentence === undefined || others.length === details.length ? others : [];
}

function ruleLines({ intent, key }: Target, { id, variant, details, overrides }: Rule): string[] {
  const { flow, kind } = variant;
  return [
    `  - id: ${id}`,
    "    action: contract_interaction",
    `    call: ${key}`,
    `    at: ${role}`,
    "    yields: true",
    ...(flow === undefined ? [] : [`    flow: { gives: ${flow.gives}, gets: ${flow.gets} }`]),
    ...fieldLines(intent, details, "    "),
    ...(overrides.length === 0 ? [] : [`    overrides: [${overrides.join(", ")}]`]),
    `    does: ${JSON.stringify(writeSentence(intent, kind, details))}`,
  ];
}

function attemptLines({ intent, key }: Target, attempts: readonly Rule[]): string[] {
  if (attempts.length === 0) return [];
  return [
    "    attempts:",
    ...attempts.flatMap(({ details }) => [
      `      - call: ${key}`,
      ...fieldLines(intent, details, "        "),
      `        does: ${JSON.stringify(writeSentence(intent, "attempt", details))}`,
    ]),
  ];
}

/** The conditions and captures of the fields that are told. */
function fieldLines({ musts }: Intent, details: readonly IntentDetail[], pad: string): string[] {
  const where = [...musts, ...details.flatMap(({ conditions }) => conditions)].map((one) => one.where);
  const distinct = [...new Set(where.map((one) => canonicalJson(one)))];
  return [
    ...(distinct.length === 0 ? [] : [`${pad}where:`, ...distinct.map((one) => `${pad}  - ${one}`)]),
    ...(details.length === 0 ? [] : [`${pad}capture:`]),
    ...details.map(({ capture }, i) => `${pad}  field_${i + 1}: ${JSON.stringify(capture)}`),
  ];
}

const transferOf = (token: string, from: string, to: string) =>
  `        - { transfer: { token: "0x${token}${"20".repeat(19)}", from: ${from}, to: ${to}, amount: "5" } }`;

/** Movements of examples. One for one would be a swap. */
const movements: Readonly<Record<SentenceKind, readonly string[]>> = {
  nothing: [],
  giving: [transferOf("20", "alice", "bob")],
  getting: [transferOf("20", "bob", "alice")],
  exchanging: [transferOf("22", "alice", "bob"), transferOf("20", "alice", "bob"), transferOf("21", "bob", "alice")],
  attempt: [],
};

/** One call that the rule explains, and the same call of an untrusted contract. */
function exampleLines({ id, variant: { kind }, call }: Rule): string[] {
  const logs = movements[kind];
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
    `  - { name: ${id} of a stranger, like: ${id}, stranger: [${role}], not: ${id} }`,
  ];
}
