import { canonicalJson } from "../kernel/canonical.ts";
import type { Condition } from "./condition.ts";
import type { IntentDetail } from "./detail.ts";
import { callThatFits, callThatMisses, type ExampleCall } from "./example-call.ts";
import type { Intent } from "./intent.ts";
import { Unfit } from "./part.ts";

/** The lines of one function's rules and examples. */
export interface FunctionRules {
  ids: string[];
  rules: string[];
  examples: string[];
}

interface Variant {
  suffix: string;
  flow?: { gives: string; gets: string };
  end: string;
  /** Variants of the same function that this one goes before. */
  before: string[];
}

const fallbacks = ["flow/call", "flow/call-giving", "flow/call-getting", "flow/call-exchanging"];

const variants: readonly Variant[] = [
  { suffix: "", flow: { gives: "nothing", gets: "nothing" }, end: "", before: ["-giving", "-getting", "-exchanging"] },
  { suffix: "-giving", flow: { gives: "some", gets: "nothing" }, end: ", giving {gives}", before: ["-exchanging"] },
  { suffix: "-getting", flow: { gives: "nothing", gets: "some" }, end: ", receiving {gets}", before: ["-exchanging"] },
  {
    suffix: "-exchanging",
    flow: { gives: "some", gets: "some" },
    end: ", giving {gives} and receiving {gets}",
    before: [],
  },
];

/** A call that reverted: told by the first rule of its function. */
const attempt: Variant = { suffix: "-attempt", end: "", before: [] };

/** Where the token of examples is. */
const sampleToken = `"0x${"20".repeat(20)}"`;
const moved: Readonly<Record<string, string[]>> = {
  "-giving": [`{ transfer: { token: ${sampleToken}, from: alice, to: bob, amount: "5" } }`],
  "-getting": [`{ transfer: { token: ${sampleToken}, from: bob, to: alice, amount: "5" } }`],
  // One for one would be a swap.
  "-exchanging": [
    `{ transfer: { token: ${sampleToken.replace("20", "22")}, from: alice, to: bob, amount: "5" } }`,
    `{ transfer: { token: ${sampleToken}, from: alice, to: bob, amount: "5" } }`,
    `{ transfer: { token: ${sampleToken.replace("20", "21")}, from: bob, to: alice, amount: "5" } }`,
  ],
};

/** What is the same for every rule of one function. */
interface Frame {
  intent: Intent;
  /** Its key under `abi`. */
  key: string;
  role: string;
  /** Start of its rules' ids. */
  stem: string;
}

interface Form {
  id: string;
  variant: Variant;
  /** The fields that it tells, and the call that shows it. */
  details: readonly IntentDetail[];
  call: ExampleCall;
  overrides: string[];
}

/**
 * The rules of one intent: what moved decides between four sentences, and the first rule tells what reverted. Where fields can be told,
 * calls without movements and reverted ones have a second rule with them. All yield to any other action. Throws {@link Unfit}
 * when no example can be made.
 */
export function writeFunction(frame: Frame): FunctionRules {
  const forms = formsOf(frame);
  if (forms.length === 0) throw new Unfit("conditions that no example meets");
  const acts = forms.filter(({ variant }) => variant !== attempt);
  const attempts = forms.filter(({ variant }) => variant === attempt);
  return {
    ids: acts.map(({ id }) => id),
    rules: acts.flatMap((form, i) => [...ruleLines(frame, form), ...(i === 0 ? attemptLines(frame, attempts) : [])]),
    examples: acts.flatMap((form) => exampleLines(frame, form)),
  };
}

function formsOf({ intent, stem }: Frame): Form[] {
  const { item, musts } = intent;
  const bare = callThatMisses(item, { musts, told: [never], reads: [] });
  if (bare === undefined) return [];
  // A call that must carry ether never gives nothing.
  const fitting = [...variants.filter(({ flow }) => bare.value === 0n || flow?.gives !== "nothing"), attempt];
  const ids = new Set(fitting.map(({ suffix }) => suffix));
  return fitting.flatMap((variant): Form[] => {
    const id = `${stem}${variant.suffix}`;
    const before = variant.before.filter((suffix) => ids.has(suffix)).map((suffix) => `${stem}${suffix}`);
    const overrides = [...before, ...fallbacks];
    const plain = { id, variant, details: [], call: bare, overrides };
    const details = detailsFor(intent, variant);
    if (details.length === 0) return [plain];
    const told = details.flatMap(({ conditions }) => conditions);
    const asked = { musts, told, reads: details.flatMap(({ reads }) => reads) };
    const call = callThatFits(item, asked);
    if (call === undefined) {
      intent.part.note("fields whose conditions no example meets");
      return [plain];
    }
    if (told.length === 0) return [{ ...plain, details, call }];
    const missed = callThatMisses(item, asked);
    if (missed === undefined) return [{ ...plain, details, call }];
    return [
      { id: `${id}-detailed`, variant, details, call, overrides: [id, ...overrides] },
      { ...plain, call: missed },
    ];
  });
}

/** A condition that holds of no call. */
const never: Condition = {
  slot: null,
  elements: 0,
  where: { uint_lt: [{ var: "call.value" }, "0"] },
  candidates: [],
};

/** Calls that moved nothing and reverted ones tell fields; ether that was paid is told as what the subject gave. */
function detailsFor({ details, sentence }: Intent, { suffix }: Variant): readonly IntentDetail[] {
  if (suffix === attempt.suffix) return details;
  if (suffix !== "") return [];
  const others = details.filter((detail) => !tellsValue(detail));
  return sentence === undefined || others.length === details.length ? others : [];
}

function tellsValue({ capture }: IntentDetail): boolean {
  return Object.values(capture).includes("call.value");
}

function ruleLines(frame: Frame, form: Form): string[] {
  const { intent, key, role } = frame;
  const { id, variant, details, overrides } = form;
  const { flow } = variant;
  return [
    `  - id: ${id}`,
    "    action: contract_interaction",
    `    call: ${key}`,
    `    at: ${role}`,
    "    yields: true",
    ...(flow === undefined ? [] : [`    flow: { gives: ${flow.gives}, gets: ${flow.gets} }`]),
    ...tellingLines(intent, details, "    "),
    `    overrides: [${overrides.join(", ")}]`,
    `    does: ${JSON.stringify(sentenceOf(intent, variant, details))}`,
  ];
}

function attemptLines({ intent, key }: Frame, forms: readonly Form[]): string[] {
  if (forms.length === 0) return [];
  return [
    "    attempts:",
    ...forms.flatMap(({ variant, details }) => [
      `      - call: ${key}`,
      ...tellingLines(intent, details, "        "),
      `        does: ${JSON.stringify(sentenceOf(intent, variant, details))}`,
    ]),
  ];
}

/** The conditions and captures of the fields that are told. */
function tellingLines(intent: Intent, details: readonly IntentDetail[], pad: string): string[] {
  const where = [...intent.musts, ...details.flatMap(({ conditions }) => conditions)].map((one) => one.where);
  const distinct = [...new Set(where.map((one) => canonicalJson(one)))];
  return [
    ...(distinct.length === 0 ? [] : [`${pad}where:`, ...distinct.map((one) => `${pad}  - ${one}`)]),
    ...(details.length === 0 ? [] : [`${pad}capture:`]),
    ...details.map(({ capture }, i) => `${pad}  field_${i + 1}: ${JSON.stringify(capture)}`),
  ];
}

function sentenceOf({ words, sentence }: Intent, { end }: Variant, details: readonly IntentDetail[]): string {
  if (details.length > 0 && sentence !== undefined) return `call {contract} to ${sentence}${end}`;
  const told = details.map(({ label }, i) => `${label} {field_${i + 1}}`).join(" and ");
  return `call {contract} to ${words}${told === "" ? "" : `, with ${told}`}${end}`;
}

/** One call that the rule explains, and the same call of a stranger's contract. */
function exampleLines({ role }: Frame, { id, variant, call }: Form): string[] {
  const logs = moved[variant.suffix];
  return [
    `  - name: ${id}`,
    "    given:",
    "      from: alice",
    `      to: ${role}`,
    ...(call.value === 0n ? [] : [`      value: "${call.value}"`]),
    `      data: "${call.data}"`,
    ...(logs === undefined ? [] : ["      logs:", ...logs.map((log) => `        - ${log}`)]),
    `    rule: ${id}`,
    "    action: contract_interaction",
    `  - { name: ${id} of a stranger, like: ${id}, stranger: [${role}], not: ${id} }`,
  ];
}
