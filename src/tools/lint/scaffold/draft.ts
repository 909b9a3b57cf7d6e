import type { AssetChange, BalanceChanges } from "../../../model/match.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";
import { type Argument, listArguments } from "./argument.ts";
import { guessAction, sentenceFor } from "./guess.ts";
import { type DraftLeg, findLegs } from "./leg.ts";
import type { KnownItem, SeenContract, Survey } from "./survey.ts";

export interface Draft {
  id: string;
  action: string;
  /** YAML between `action` and `legs`, no indent. */
  match: string[];
  legs: readonly DraftLeg[];
  does: string;
  contract: SeenContract;
  uses: KnownItem[];
  /** Of the anchor. */
  args: readonly Argument[];
  /** Recognizes a reverted call; null when the contract was not called. */
  attempts: string | null;
}

/** The best proven first. */
export function draftRules(survey: Survey): Draft[] {
  const drafts = survey.contracts.flatMap((contract) => [
    ...contract.logs.flatMap(({ log, known }): Ranked[] => {
      if (known?.item.kind !== "event" || bookkeeping.has(known.item.name)) return [];
      return eventDraft(survey, { contract, known, values: known.item.read(log.topics, log.data) ?? [] });
    }),
    ...contract.calls.map(({ call, known }): Ranked => {
      const values = known?.item.kind === "function" ? known.item.read(call.input) : undefined;
      return callDraft(survey, { contract, known, values: values ?? [] });
    }),
  ]);
  // Sorting is stable: equal drafts stay in the order of the transaction.
  return drafts.sort((a, b) => b.worth - a.worth).map(({ draft }) => draft);
}

/** Events of all tokens: they say nothing about a protocol. */
const bookkeeping: ReadonlySet<string> = new Set(["Approval", "ApprovalForAll", "OwnershipTransferred", "Initialized"]);

/** Ranked by: the subject called the contract, an argument names the subject, legs with stated amounts. */
interface Ranked {
  draft: Draft;
  worth: number;
}

/** The subject called it: more likely the protocol than pools, tokens and oracles. */
const calledWorth = 10;

interface Found {
  contract: SeenContract;
  known: KnownItem | undefined;
  values: readonly Value[];
}

function eventDraft(survey: Survey, found: Found & { known: KnownItem }): Ranked[] {
  const { contract, known, values } = found;
  const args = listArguments(known.item.inputs, values);
  const legs = findLegs(args, survey.movements, { subject: survey.subject, contract, anchor: "event" });
  const who = args.find(({ type, value }) => type.kind === "address" && value === survey.subject);
  const call = contract.calls.find(({ known: one }) => one !== undefined && one.name !== known.name)?.known;
  const flow = flowLine(survey.flow, legs, who === undefined ? "nothing" : "any");
  const tied = who !== undefined || legs.length > 0 || /one|some/.test(flow ?? "");
  // An event that nothing ties to the subject could be about anybody.
  if (!tied && call === undefined) return [];
  const match = [
    `event: ${known.name}`,
    `at: ${contract.role}`,
    ...(who === undefined ? [] : [`who: ${who.path}`]),
    ...(tied || call === undefined ? [] : [`call: ${call.name}`]),
    ...(flow === undefined ? [] : [flow]),
  ];
  const uses = [known, ...(call === undefined ? [] : [call])];
  const attempts = call?.name ?? null;
  const draft = { ...meaningOf(survey, uses, legs), match, legs, contract, uses, args, attempts };
  const worth = (contract.calls.length > 0 ? calledWorth : 0) + (who === undefined ? 1 : 4) + legs.length;
  return [{ draft, worth }];
}

function callDraft(survey: Survey, { contract, known, values }: Found): Ranked {
  const args = known === undefined ? [] : listArguments(known.item.inputs, values);
  const legs = findLegs(args, survey.movements, { subject: survey.subject, contract, anchor: "call" });
  const flow = flowLine(survey.flow, legs, "nothing");
  const match = [`call: ${known?.name ?? "any"}`, `at: ${contract.role}`, ...(flow === undefined ? [] : [flow])];
  const attempts = known?.name ?? "any";
  const uses = known === undefined ? [] : [known];
  const draft = { ...meaningOf(survey, uses, legs), match, legs, contract, uses, args, attempts };
  return { draft, worth: calledWorth + (known === undefined ? 0 : 3) + legs.length };
}

function meaningOf({ flow, movements, action: told }: Survey, uses: readonly KnownItem[], legs: readonly DraftLeg[]) {
  const words = uses.map(({ name }) => name);
  const action = told ?? guessAction(words, flow, movements);
  const text = (name: DraftLeg["name"], side: "gives" | "gets") => {
    if (legs.some((leg) => leg.name === name)) return `{${name}}`;
    return flow[side].length > 0 ? `{${side}}` : "";
  };
  // Ids never change, so they name the act, not a function that may be renamed.
  const id = action.replace(/^(?:lending|vault|nft)_/, "").replaceAll("_", "-");
  const does = sentenceFor(action, { gives: text("paid", "gives"), gets: text("got", "gets") });
  return { id, action, does };
}

/** `any`: a side that a leg binds, or an empty one where ether may have moved unseen. undefined: asks for nothing. */
function flowLine(flow: BalanceChanges, legs: readonly DraftLeg[], empty: "nothing" | "any"): string | undefined {
  const textOf = (name: DraftLeg["name"], side: "gives" | "gets") =>
    legs.some((leg) => leg.name === name) ? "any" : sideText(flow[side], flow.complete ? empty : "any");
  const [gives, gets] = [textOf("paid", "gives"), textOf("got", "gets")];
  const open = gives === "any" && gets === "any" && !flow.complete && legs.length === 0;
  return open ? undefined : `flow: { gives: ${gives}, gets: ${gets} }`;
}

/** At least one asset. Ether and tokens are one kind: paying with either is the same act. */
function sideText(assets: readonly AssetChange[], empty: string): string {
  if (assets.length === 0) return empty;
  const kinds = new Set(assets.map(({ kind }) => (kind === "nft" ? "nft" : "fungible")));
  const [kind] = kinds;
  return kinds.size === 1 ? `some ${kind}` : "some";
}
