import { canonicalJson } from "../kernel/canonical.ts";
import type { Intent, IntentDetail } from "./intent.ts";
import { sampleCall } from "./sample-call.ts";

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
  { suffix: "-attempt", end: "", before: [] },
];

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
  /** The fields that it tells. */
  details: readonly IntentDetail[];
  overrides: string[];
}

/**
 * The rules of one intent: what moved decides between four sentences, a reverted call has its own. Where fields can be told,
 * calls without movements and reverted ones have a second rule with them. All yield to any other action. Throws an Error when no
 * example can be made.
 */
export function writeFunction(frame: Frame): FunctionRules {
  const data = sampleCall(frame.intent.item);
  const forms = formsOf(frame);
  return {
    ids: forms.map(({ id }) => id),
    rules: forms.flatMap((form) => ruleLines(frame, form)),
    examples: forms.flatMap((form) => exampleLines(frame, form, data)),
  };
}

function formsOf({ intent, stem }: Frame): Form[] {
  return variants.flatMap((variant): Form[] => {
    const id = `${stem}${variant.suffix}`;
    const attempt = variant.suffix === "-attempt";
    const before = variant.before.map((suffix) => `${stem}${suffix}`);
    const overrides = [...before, ...(attempt ? ["flow/attempt-call"] : fallbacks)];
    const plain = { id, variant, details: [], overrides };
    // Ether that was paid is told as what the subject gave.
    const details = attempt ? intent.details : intent.details.filter((detail) => !tellsValue(detail));
    if (details.length === 0 || !(attempt || variant.suffix === "")) return [plain];
    if (details.every(({ where }) => where.length === 0)) return [{ ...plain, details }];
    return [{ id: `${id}-detailed`, variant, details, overrides: [id, ...overrides] }, plain];
  });
}

function tellsValue({ capture }: IntentDetail): boolean {
  return Object.values(capture).includes("call.value");
}

function ruleLines({ intent, key, role }: Frame, { id, variant, details, overrides }: Form): string[] {
  const where = details.flatMap((detail) => detail.where);
  const told = details.map(({ label }, i) => `${label} {field_${i + 1}}`).join(" and ");
  const attempt = variant.suffix === "-attempt";
  const act = `${attempt ? "tried to call" : "called"} {contract} to ${intent.words}`;
  const { flow } = variant;
  return [
    `  - id: ${id}`,
    "    action: contract_interaction",
    ...(attempt ? ["    status: reverted"] : []),
    `    call: ${key}`,
    `    at: ${role}`,
    "    yields: true",
    ...(flow === undefined ? [] : [`    flow: { gives: ${flow.gives}, gets: ${flow.gets} }`]),
    ...(where.length === 0 ? [] : ["    where:", ...where.map((one) => `      - ${canonicalJson(one)}`)]),
    ...(details.length === 0 ? [] : ["    capture:"]),
    ...details.map(({ capture }, i) => `      field_${i + 1}: ${JSON.stringify(capture)}`),
    `    overrides: [${overrides.join(", ")}]`,
    `    summary: ${JSON.stringify(`{subject} ${act}${told === "" ? "" : `, with ${told}`}${variant.end}`)}`,
  ];
}

/** One call that the rule explains, and the same call of a stranger's contract. */
function exampleLines({ key, role }: Frame, { id, variant, details }: Form, data: string): string[] {
  const logs = moved[variant.suffix];
  return [
    `  - name: ${id}`,
    "    given:",
    "      from: alice",
    `      to: ${role}`,
    ...(variant.suffix === "-attempt" ? ["      status: reverted"] : []),
    ...(details.some(tellsValue) ? [`      value: "1"`] : []),
    details.length > 0 ? `      data: "${data}"` : `      call: { ${key}: {} }`,
    ...(logs === undefined ? [] : ["      logs:", ...logs.map((log) => `        - ${log}`)]),
    `    rule: ${id}`,
    "    action: contract_interaction",
    `  - { name: ${id} of a stranger, like: ${id}, stranger: [${role}], not: ${id} }`,
  ];
}
