import type { Value } from "../../abi/abi-type.ts";
import type { AssetChange, BalanceChanges } from "../../model/match.ts";
import { type Argument, listArguments } from "./argument.ts";
import { guessAction, sentenceFor } from "./guess.ts";
import { type DraftLeg, findLegs } from "./leg.ts";
import type { KnownItem, SeenContract, Survey } from "./survey.ts";

/** One rule that the transaction could be an example of. */
export interface Draft {
  id: string;
  action: string;
  /** Lines of YAML between `action` and `legs`, without indent. */
  match: string[];
  legs: readonly DraftLeg[];
  does: string;
  contract: SeenContract;
  /** ABI items that the rule uses. */
  uses: KnownItem[];
  /** What the anchor said. */
  args: readonly Argument[];
  /** How a reverted call of the same is recognized; null when the contract was not called. */
  attempts: string | null;
}

/** Rules that could explain the transaction, the best proven first. */
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
  // Equal ones stay in the order of the transaction.
  return drafts.sort((a, b) => b.worth - a.worth).map(({ draft }) => draft);
}

/** Events of every token, which tell nothing of a protocol. */
const bookkeeping: ReadonlySet<string> = new Set(["Approval", "ApprovalForAll", "OwnershipTransferred", "Initialized"]);

/** A draft with how well it is proven: what the subject called, what names it, what states its amounts. */
interface Ranked {
  draft: Draft;
  worth: number;
}

/** What the subject called is the protocol rather than what that contract called: pools, tokens, oracles. */
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
  // What nothing ties to the subject could be anybody's event.
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
  // Ids are for ever: what was done lasts longer than what a version of the contract calls it.
  const id = action.replace(/^(?:lending|vault|nft)_/, "").replaceAll("_", "-");
  const does = sentenceFor(action, { gives: text("paid", "gives"), gets: text("got", "gets") });
  return { id, action, does };
}

/** A side that a leg binds is left open; one that is empty because ether moved unseen says nothing. */
function flowLine(flow: BalanceChanges, legs: readonly DraftLeg[], empty: "nothing" | "any"): string | undefined {
  const textOf = (name: DraftLeg["name"], side: "gives" | "gets") =>
    legs.some((leg) => leg.name === name) ? "any" : sideText(flow[side], flow.complete ? empty : "any");
  const [gives, gets] = [textOf("paid", "gives"), textOf("got", "gets")];
  const open = gives === "any" && gets === "any" && !flow.complete && legs.length === 0;
  return open ? undefined : `flow: { gives: ${gives}, gets: ${gets} }`;
}

/** At least one of a kind: who pays with ether and who pays with a token do the same. */
function sideText(assets: readonly AssetChange[], empty: string): string {
  if (assets.length === 0) return empty;
  const kinds = new Set(assets.map(({ kind }) => (kind === "nft" ? "nft" : "fungible")));
  const [kind] = kinds;
  return kinds.size === 1 ? `some ${kind}` : "some";
}
