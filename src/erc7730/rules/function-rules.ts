import { canonicalJson } from "../../kernel/canonical.ts";
import { unsupported } from "../descriptor/part.ts";
import type { IntentDetail } from "./detail.ts";
import { callThatFits, callThatMisses, type ExampleCall } from "./example-call.ts";
import type { Intent } from "./intent.ts";
import { type SentenceKind, writeSummary } from "./summary.ts";

/** The one role of a rule file: all deployments of the descriptor. */
export const role = "contract";

const transferOf = (token: string, from: string, to: string) =>
  `        - { transfer: { token: "0x${token}${"20".repeat(19)}", from: ${from}, to: ${to}, amount: "5" } }`;

/** The sides of a call's movements, the movements of its example, and the kinds whose rules it overrides. */
interface Variant {
  flow: [gives: string, gets: string] | null;
  logs: readonly string[];
  over: readonly SentenceKind[];
}

/** One rule for each thing that a call can move, and one for a reverted call. */
const variants: Readonly<Record<SentenceKind, Variant>> = {
  nothing: { flow: ["nothing", "nothing"], logs: [], over: ["giving", "getting", "exchanging"] },
  giving: { flow: ["some", "nothing"], logs: [transferOf("20", "alice", "bob")], over: ["exchanging"] },
  getting: { flow: ["nothing", "some"], logs: [transferOf("20", "bob", "alice")], over: ["exchanging"] },
  exchanging: {
    flow: ["some", "some"],
    // One for one would be a swap.
    logs: [transferOf("22", "alice", "bob"), transferOf("20", "alice", "bob"), transferOf("21", "bob", "alice")],
    over: [],
  },
  attempt: { flow: null, logs: [], over: [] },
};

/** One rule of an intent, and the call that shows it. */
export interface IntentRule {
  id: string;
  intent: Intent;
  kind: SentenceKind;
  /** The fields that it tells. */
  details: readonly IntentDetail[];
  call: ExampleCall;
  /** Ids of the rules that yield to it. */
  overrides: readonly string[];
}

/**
 * The rules of one intent, with ids that start with `stem`: what moved decides between four sentences, a reverted call has its
 * own. Where fields can be told, calls without movements and reverted ones have a second rule with them. All yield to any other
 * action. Throws UnsupportedError when no example can be made.
 */
export function makeRules(intent: Intent, stem: string): IntentRule[] {
  const { item, musts } = intent;
  const bare = callThatMisses(item, musts) ?? unsupported("conditions that no example meets");
  // A call that must carry ether never gives nothing.
  const fits = (kind: SentenceKind): boolean => bare.value === 0n || variants[kind].flow?.[0] !== "nothing";
  const idOf = (kind: SentenceKind): string => (kind === "nothing" ? stem : `${stem}-${kind}`);
  return (Object.keys(variants) as SentenceKind[]).filter(fits).flatMap((kind): IntentRule[] => {
    const overrides = variants[kind].over.filter(fits).map(idOf);
    const plain = { id: idOf(kind), intent, kind, details: [], call: bare, overrides };
    const details = detailsFor(intent, kind);
    if (details.length === 0) return [plain];
    const told = details.flatMap(({ conditions }) => conditions);
    const call = callThatFits(item, [...musts, ...told]);
    if (call === undefined) {
      intent.part.note("fields whose conditions no example meets");
      return [plain];
    }
    const missed = told.some(({ where }) => where !== undefined) ? callThatMisses(item, musts, told) : undefined;
    if (missed === undefined) return [{ ...plain, details, call }];
    const detailed = { ...plain, id: `${plain.id}-detailed`, details, call, overrides: [plain.id, ...overrides] };
    return [detailed, { ...plain, call: missed }];
  });
}

/** Calls that moved nothing and reverted ones tell fields; ether that was paid is told as what the subject gave. */
function detailsFor({ details, sentence }: Intent, kind: SentenceKind): readonly IntentDetail[] {
  if (kind === "attempt") return details;
  if (kind !== "nothing") return [];
  const others = details.filter(({ capture }) => !Object.values(capture).includes("call.value"));
  return sentence === undefined || others.length === details.length ? others : [];
}

/** The rule in YAML. `key` is the function's name under `abi`. */
export function ruleLines({ id, intent, kind, details, overrides }: IntentRule, key: string): string[] {
  const conditions = [...intent.musts, ...details.flatMap((detail) => detail.conditions)];
  const where = new Set(conditions.flatMap((one) => (one.where === undefined ? [] : [canonicalJson(one.where)])));
  const { flow } = variants[kind];
  return [
    `  - id: ${id}`,
    "    action: contract_interaction",
    ...(kind === "attempt" ? ["    status: reverted"] : []),
    `    call: ${key}`,
    `    at: ${role}`,
    "    yields: true",
    ...(flow === null ? [] : [`    flow: { gives: ${flow[0]}, gets: ${flow[1]} }`]),
    ...(where.size === 0 ? [] : ["    where:", ...[...where].map((one) => `      - ${one}`)]),
    ...(details.length === 0 ? [] : ["    capture:"]),
    ...details.map(({ capture }, i) => `      field_${i + 1}: ${JSON.stringify(capture)}`),
    ...(overrides.length === 0 ? [] : [`    overrides: [${overrides.join(", ")}]`]),
    `    summary: ${JSON.stringify(writeSummary(intent, kind, details))}`,
  ];
}

/** One call that the rule explains, and the same call of an untrusted contract. */
export function exampleLines({ id, kind, call }: IntentRule): string[] {
  const { logs } = variants[kind];
  return [
    `  - name: ${id}`,
    "    given:",
    "      from: alice",
    `      to: ${role}`,
    ...(kind === "attempt" ? ["      status: reverted"] : []),
    ...(call.value === 0n ? [] : [`      value: "${call.value}"`]),
    `      data: "${call.data}"`,
    ...(logs.length === 0 ? [] : ["      logs:", ...logs]),
    `    rule: ${id}`,
    "    action: contract_interaction",
    `  - { name: ${id} of a stranger, like: ${id}, stranger: [${role}], not: ${id} }`,
  ];
}
