import { type Address, zeroAddress } from "../../../kernel/address.ts";
import type { AssetChange, BalanceChanges } from "../../../model/match.ts";
import type { Movement } from "../../../model/transaction.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";
import { type Argument, listArguments } from "./argument.ts";
import { guessAction, sentenceFor } from "./guess.ts";
import type { KnownItem, SeenContract, Survey } from "./survey.ts";

export interface Draft {
  id: string;
  action: string;
  /** YAML between `action` and `money`, no indent. */
  match: string[];
  /** Entries of `money`; none asks for nothing. */
  money: string[];
  say: string;
  contract: SeenContract;
  uses: KnownItem[];
  /** Of the anchor. */
  args: readonly Argument[];
  /** Recognizes a reverted call; null when the contract was not called. */
  tried: string | null;
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
  const args = listArguments(known.item.inputs, values, [contract.role]);
  const legs = findLegs(args, survey.movements, { subject: survey.subject, contract, anchor: "event" });
  const who = args.find(({ type, value }) => type.kind === "address" && value === survey.subject);
  const call = contract.calls.find(({ known: one }) => one !== undefined && one.name !== known.name)?.known;
  const money = moneyOf(survey.flow, legs, who === undefined ? "nothing" : "any");
  const tied = who !== undefined || legs.length > 0 || money.some((entry) => /one|some/.test(entry));
  // An event that nothing ties to the subject could be about anybody.
  if (!tied && call === undefined) return [];
  const within = tied || call === undefined ? "" : `, within: ${call.name}`;
  const match = [
    `anchor: { event: ${known.name}${within} }`,
    `at: ${contract.role}`,
    ...(who === undefined ? [] : [`subject: ${who.path}`]),
  ];
  const uses = [known, ...(call === undefined ? [] : [call])];
  const tried = within === "" ? (call?.name ?? null) : "same";
  const draft = { ...meaningOf(survey, uses, legs), match, money, contract, uses, args, tried };
  const worth = (contract.calls.length > 0 ? calledWorth : 0) + (who === undefined ? 1 : 4) + legs.length;
  return [{ draft, worth }];
}

function callDraft(survey: Survey, { contract, known, values }: Found): Ranked {
  const args = known === undefined ? [] : listArguments(known.item.inputs, values, [contract.role]);
  const legs = findLegs(args, survey.movements, { subject: survey.subject, contract, anchor: "call" });
  const match = [`anchor: { call: ${known?.name ?? "any"} }`, `at: ${contract.role}`];
  const uses = known === undefined ? [] : [known];
  const money = moneyOf(survey.flow, legs, "nothing");
  const draft = { ...meaningOf(survey, uses, legs), match, money, contract, uses, args, tried: "same" };
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
  const say = sentenceFor(action, { gives: text("paid", "gives"), gets: text("got", "gets") });
  return { id, action, say };
}

/** `any`: a side that a leg binds, or an empty one where ether may have moved unseen. */
function moneyOf(flow: BalanceChanges, legs: readonly DraftLeg[], empty: "nothing" | "any"): string[] {
  const textOf = (name: DraftLeg["name"], side: "gives" | "gets") =>
    legs.some((leg) => leg.name === name) ? "any" : sideText(flow[side], flow.complete ? empty : "any");
  const [gives, gets] = [textOf("paid", "gives"), textOf("got", "gets")];
  const open = gives === "any" && gets === "any" && !flow.complete && legs.length === 0;
  if (open) return [];
  const sides = gives === "any" && gets === "any" ? ["rest: any"] : [`gives: ${gives}`, `gets: ${gets}`];
  return [...legs.map(({ name, leg }) => `${name}: ${leg}`), ...sides];
}

/** At least one asset. Ether and tokens are one kind: paying with either is the same act. */
function sideText(assets: readonly AssetChange[], empty: string): string {
  if (assets.length === 0) return empty;
  const kinds = new Set(assets.map(({ kind }) => (kind === "nft" ? "nft" : "fungible")));
  const [kind] = kinds;
  return kinds.size === 1 ? `some ${kind}` : "some";
}

/** YAML. An argument states its amount. */
interface DraftLeg {
  name: "paid" | "got";
  leg: string;
}

interface LegContext {
  subject: Address;
  contract: SeenContract;
  anchor: "event" | "call";
}

/** At most one each way, with parties that are known or that an argument names. */
function findLegs(args: readonly Argument[], movements: readonly Movement[], context: LegContext): DraftLeg[] {
  const { subject } = context;
  const own = movements.filter(
    (move) => !move.fee && move.amount > 0n && move.tokenId === null && move.from !== move.to,
  );
  const sides = [
    { name: "paid" as const, moves: own.filter((move) => move.from === subject) },
    { name: "got" as const, moves: own.filter((move) => move.to === subject) },
  ];
  return sides.flatMap(({ name, moves }) => {
    const legs = moves.flatMap((move) => {
      const stated = args.find(({ type, value }) => type.kind === "uint" && value === move.amount);
      return stated === undefined ? [] : writeLeg(name, move, { stated, args, context });
    });
    return legs.slice(0, 1);
  });
}

function writeLeg(
  name: DraftLeg["name"],
  move: Movement,
  { stated, args, context }: { stated: Argument; args: readonly Argument[]; context: LegContext },
): DraftLeg {
  const { contract, anchor } = context;
  const pathOf = (address: Address | null) =>
    args.find(({ type, value }) => type.kind === "address" && value === address)?.path;
  const own = anchor === "event" ? "emitter" : `contracts.${contract.role}`;
  const token = move.token === null ? "native" : move.token === contract.address ? own : pathOf(move.token);
  const party = (address: Address) => {
    if (address === context.subject) return "subject";
    if (address === contract.address) return contract.role;
    return address === zeroAddress ? "zero" : pathOf(address);
  };
  const fields = {
    token,
    from: party(move.from),
    to: party(move.to),
    amount: stated.path,
    standards: token === undefined ? "[erc20]" : undefined,
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { name, leg: `{ ${known.map(([field, value]) => `${field}: ${value}`).join(", ")} }` };
}
