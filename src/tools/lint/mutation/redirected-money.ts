import { encodeFunctionData, numberToHex, pad } from "viem/utils";
import { isSpeck } from "../../../engine/money/fair-price.ts";
import { isBelieved } from "../../../engine/money/payees.ts";
import { balanceChanges } from "../../../engine/normalize/balance-changes.ts";
import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { transferBatchTopic, transferSingleTopic, transferTopic } from "../../../kernel/token-standards.ts";
import type { CaseFile, RpcLog } from "../../../model/case-file.ts";
import type { Movement } from "../../../model/transaction.ts";
import type { TupleType } from "../../../rules/abi/abi-type.ts";
import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import { CaseOutcome, newViolation } from "./case-outcome.ts";
import { addFrames, editFrame, editLogs, sameRow, withLogs } from "./edit-case.ts";
import { judgeByRule, type Mutant, type Original } from "./mutant.ts";
import type { StolenLogs } from "./stage.ts";
import { greedyStageOf, type SetStage, stagesOf } from "./stage.ts";
import { forgedTokenAbi, forgers, isFlagged, isNamed, judgeLoss, plainTokens, tokenLog } from "./stranger.ts";

/** What the subject gave goes to a stranger. Without the stranger's name readers believe that the protocol has it. */
export function divertedPayments(original: Original): Mutant[] {
  const { front, thief } = forgers;
  const { caseFile } = original;
  const moves = movesOf(original, "gives");
  const redirected = redirect(caseFile, moves, thief);
  const stages = redirected === undefined ? [] : stagesOf(original);
  const mutants = stages.map((stage) => {
    const forged = stage.set(redirected as CaseFile, stolenLogs(moves));
    return diverted(original, `what the subject gives goes to a stranger, ${stage.name}`, forged, thief, stage);
  });
  const greedy = moves.some(({ basis }) => basis === "transaction") ? greedyStageOf(original) : undefined;
  if (greedy === undefined) return mutants;
  const kept = greedy.set(caseFile, new Map());
  return [...mutants, diverted(original, "the ether stays with a stranger's contract", kept, front, greedy)];
}

function diverted(
  { candidate }: Original,
  change: string,
  caseFile: CaseFile,
  to: Address,
  { before }: SetStage,
): Mutant {
  const { subject } = candidate.context;
  return { kind: "diverted-payment", change, caseFile, judge: (outcome) => judgeLoss(outcome, subject, to, before) };
}

/**
 * What the subject got goes to a stranger. Where it gave something, also: somebody gives it a listed token, and the rule's known proceeds
 * go to the stranger.
 */
export function otherBeneficiaries(original: Original): Mutant[] {
  const { thief, receipt } = forgers;
  const { caseFile, trial, candidate, world } = original;
  const { subject, flow } = candidate.context;
  const moves = movesOf(original, "gets");
  const forged = redirect(caseFile, moves, thief);
  if (forged === undefined) return [];
  const change = "what the subject gets goes to a stranger";
  const mutants = [beneficiary(original, change, forged)];
  const [gift] = plainTokens(world.labels, caseFile);
  const worth = flow.gets
    .filter((asset) => !isSpeck(asset, trial.tx, world.labels))
    .flatMap((asset) => asset.movements);
  const own = worth.filter((index) => candidate.movements.includes(index));
  const known = moves.filter((move) => isBelieved(move, trial.tx) && own.includes(move.index));
  const paid = flow.gives.length === 0 || known.length === 0 ? undefined : redirect(caseFile, known, thief);
  if (gift === undefined || paid === undefined) return mutants;
  const log = tokenLog(transferTopic, gift.address, [receipt, subject], 10n ** BigInt(gift.decimals));
  return [
    ...mutants,
    beneficiary(original, `${change}, and a gift comes to it`, withLogs(paid, [...paid.receipt.logs, log])),
  ];
}

function beneficiary(original: Original, change: string, caseFile: CaseFile): Mutant {
  const { thief } = forgers;
  const byRule = judgeByRule(original);
  return {
    ...{ kind: "other-beneficiary", change, caseFile },
    judge(outcome) {
      const { partial } = outcome.decision.explanation;
      // Without a list of ether movements nobody knows what an account got in ether, and the answer says so by `partial`.
      if (isNamed(outcome, thief) || (partial && outcome.caseFile.trace.source === "none")) return null;
      if (byRule(outcome) !== null) return "the stranger is not told";
      return newViolation(outcome, original.outcome, [original.candidate.context.subject, thief]);
    },
  };
}

/**
 * Arguments that name the subject, or are empty and say who gets something, name a stranger: those with which the rule still fits, and at a
 * known contract also all. Only where the subject gives and gets nothing: otherwise the money shows whose act it is.
 */
export function otherAccounts(original: Original): Mutant[] {
  const { rule, context } = original.candidate;
  const { gives, gets } = context.flow;
  if (gives.length === 0 || gets.length > 0) return [];
  const byRule = judgeByRule(original);
  const places = placesOf(original);
  let forged = original.caseFile;
  const standing: Place[] = [];
  for (const place of places) {
    const next = place.set(forged);
    if (byRule(new CaseOutcome(next, original.world)) === null) continue;
    forged = next;
    standing.push(place);
  }
  const mutants = standing.length === 0 ? [] : [namedBy(standing, forged)];
  // A rule with `acts_for` says whose act it is, and the genuine contract takes nobody else's money.
  if (standing.length === places.length || rule.actsFor !== null || !atKnownPlace(rule)) return mutants;
  const whole = places.reduce((file, { set }) => set(file), original.caseFile);
  return [...mutants, namedBy(places, whole)];
}

function namedBy(places: readonly Place[], caseFile: CaseFile): Mutant {
  const names = places.map(({ name }) => `\`${name}\``).join(", ");
  const judge: Mutant["judge"] = (outcome) => (isFlagged(outcome, forgers.thief) ? null : "the stranger is not told");
  return { kind: "other-account", change: `a stranger is named by ${names}`, caseFile, judge };
}

/** `set` changes it in a case. */
interface Place {
  name: string;
  set(file: CaseFile): CaseFile;
}

/** Names of arguments that only say who acted: another account gets nothing by them. */
const actors = /^_?(?:msg)?(?:sender|from|caller|payer|initiator|operator|origin|fromAddress|funder)$/i;
/** Names of arguments that say who gets something, fees and gas apart. Zero counts too: examples may leave them out. */
const receivers =
  /^(?!.*(?:fee|gas)).*(?:recipient|receiver|beneficiary|behalf|refund|owner|payee|destAddr|staker|holder|borrower)|^_?(?:to|for|dest)$/i;

function placesOf({ candidate }: Original): Place[] {
  const { anchor } = candidate.rule;
  const { log, call, subject } = candidate.context;
  const [own, nobody, other] = [subject, zeroAddress, forgers.thief].map((one) => pad(one).slice(2));
  const isPlace = ({ name, word }: Word) =>
    (word === own && !actors.test(name)) || (word === nobody && receivers.test(name));
  const exchange = (text: string, at: number) => text.slice(0, at) + other + text.slice(at + 64);
  if (anchor.kind === "event" && log !== null) {
    const edit = (change: (one: RpcLog) => RpcLog) => (file: CaseFile) =>
      editLogs(file, (one, index) => (index === log.index ? change(one) : one));
    const { indexed, inputs } = anchor.event;
    const [topics, data] = [true, false].map((side) => ({
      names: inputs.names.filter((_, i) => indexed[i] === side),
      items: inputs.items.filter((_, i) => indexed[i] === side),
    })) as [Named, Named];
    const inTopics = topics.names.map((name, i) => ({ name, at: i + 1, word: log.topics[i + 1]?.slice(2) ?? "" }));
    const topic = (at: number) => edit((one) => ({ ...one, topics: one.topics.with(at, `0x${other}`) }));
    const word = (at: number) => edit((one) => ({ ...one, data: exchange(one.data, at) }));
    return [
      ...inTopics.filter(isPlace).map(({ name, at }) => ({ name, set: topic(at) })),
      ...wordsOf(data, log.data, 2)
        .filter(isPlace)
        .map(({ name, at }) => ({ name, set: word(at) })),
    ];
  }
  if (anchor.kind !== "call" || anchor.call === null || call?.id !== 0) return [];
  const set = (at: number) => (file: CaseFile) => {
    const { transaction } = file;
    return { ...file, transaction: { ...transaction, input: exchange(transaction.input ?? "0x", at) } };
  };
  return wordsOf(anchor.call.inputs, call.input, 10)
    .filter(isPlace)
    .map(({ name, at }) => ({ name, set: set(at) }));
}

/** Static. `at`: its first digit in the text; `word`: 64 hex digits. */
interface Word {
  name: string;
  at: number;
  word: string;
}

type Named = Pick<TupleType, "names" | "items">;

/** Addresses and 32-byte values from `base` on, also inside structs. */
function wordsOf({ names, items }: Named, text: string, base: number): Word[] {
  let head = base;
  return items.flatMap((item, i): Word[] => {
    const at = head;
    const word = text.slice(at, at + 64);
    head += (item.dynamic ? 1 : item.words) * 64;
    if (item.kind === "tuple") return wordsOf(item, text, item.dynamic ? base + Number.parseInt(word, 16) * 2 : at);
    return item.kind === "address" || (item.kind === "fixed" && item.size === 32)
      ? [{ name: names[i] ?? "", at, word }]
      : [];
  });
}

/** Net. Empty for a reverted transaction. */
function movesOf({ trial: { tx }, candidate }: Original, side: "gives" | "gets"): Movement[] {
  const { subject } = candidate.context;
  const end = side === "gives" ? "from" : "to";
  const indexes = balanceChanges(tx, subject)[side].flatMap((asset) => asset.movements);
  const moves = indexes.map((index) => tx.movements[index] as Movement);
  return moves.filter((move) => move[end] === subject && move.from !== move.to && !move.fee);
}

function stolenLogs(moves: readonly Movement[]): StolenLogs {
  return new Map(
    moves.map(({ log, from, amount }) => {
      const args = [from, forgers.thief, amount] as const;
      return [log, encodeFunctionData({ abi: forgedTokenAbi, functionName: "transferFrom", args })];
    }),
  );
}

/** Giver and amount stay; undefined when none can be redirected. */
export function redirect(file: CaseFile, moves: readonly Movement[], to: Address): CaseFile | undefined {
  const logs = new Set(moves.filter((move) => move.log >= 0).map((move) => move.log));
  let edited = editLogs(file, (log, index) => (logs.has(index) ? redirectLog(log, to) : log));
  let changed = edited.receipt.logs.some((log, index) => log !== file.receipt.logs[index]);
  for (const move of moves) {
    const other = move.log < 0 ? redirectEther(edited, move, to) : undefined;
    changed ||= other !== undefined;
    edited = other ?? edited;
  }
  return changed ? edited : undefined;
}

/** Topic of the receiver, by event. Not of wrapped ether: whoever sent the ether gets it. */
const receiverAt: ReadonlyMap<string, number> = new Map([
  [transferTopic, 2],
  [transferSingleTopic, 3],
  [transferBatchTopic, 3],
]);

function redirectLog(log: RpcLog, to: Address): RpcLog {
  const at = receiverAt.get(log.topics[0]?.toLowerCase() ?? "");
  return at === undefined ? log : { ...log, topics: log.topics.map((topic, i) => (i === at ? pad(to) : topic)) };
}

/** undefined where impossible: the transaction's own value, and ether that only calldata or events show. */
function redirectEther(file: CaseFile, move: Movement, to: Address): CaseFile | undefined {
  if (move.basis === "internal" && file.trace.source === "internal_transfers") {
    const rows = file.trace.internal_transfers;
    const place = rows.findIndex((row) => sameRow(row, move));
    const internal_transfers = rows.map((row, i) => (i === place ? { ...row, to } : row));
    return place < 0 ? undefined : { ...file, trace: { ...file.trace, internal_transfers } };
  }
  if (move.basis !== "trace" || !("root" in file.trace)) return undefined;
  const root = editFrame(file.trace.root, move.call, (frame) => ({ ...frame, value: "0x0" }));
  const stolen = { type: "CALL", from: move.from, to, value: numberToHex(move.amount), input: "0x" };
  return { ...file, trace: { ...file.trace, root: addFrames(root, [stolen]) } };
}
