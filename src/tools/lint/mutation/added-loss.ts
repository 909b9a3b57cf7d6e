import { encodeFunctionData, numberToHex, pad, parseAbi } from "viem/utils";
import type { Candidate } from "../../../engine/match/candidate.ts";
import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { approvalTopic, transferTopic } from "../../../kernel/token-standards.ts";
import type { CaseFile, RpcLog } from "../../../model/case-file.ts";
import type { TokenLabel } from "../../../model/label.ts";
import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import { type CaseOutcome, newViolation } from "./case-outcome.ts";
import { addFrames, withLogs } from "./edit-case.ts";
import type { Mutant, Original } from "./mutant.ts";
import type { StolenLogs } from "./stage.ts";
import { type SetStage, stagesOf } from "./stage.ts";
import {
  forgedTokenAbi,
  forgers,
  isFlagged,
  isNamed,
  judgeLoss,
  plainToken,
  plainTokens,
  stolenAmount,
  stolenUnits,
  tokenLog,
} from "./stranger.ts";

const { thief, receipt } = forgers;
const vaultAbi = parseAbi(["function redeem(uint256 shares, address receiver, address owner)"]);
const maxUint256 = (1n << 256n) - 1n;
const permitAbi = parseAbi(["function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)"]);

/** The subject also loses a listed token, or ether where the case shows it, to a stranger; or its dollars are destroyed. */
export function addedThefts(original: Original): Mutant[] {
  const { caseFile, trial, candidate, world } = original;
  const { subject } = candidate.context;
  if (trial.tx.status === "reverted") return [];
  const token = plainToken(world.labels, caseFile);
  const theft = (change: string, caseFile: CaseFile, before: CaseOutcome): Mutant => ({
    kind: "added-theft",
    change,
    caseFile,
    judge: (outcome) => judgeLoss(outcome, subject, thief, before),
  });
  return stagesOf(original).flatMap((stage) => {
    const mutants: Mutant[] = [];
    // An account that did not send the transaction gives ether only where its own code runs. So only a sender can lose ether here.
    const ether = subject === trial.tx.from && trial.tx.type !== "deposit" ? withEther(caseFile, subject) : undefined;
    if (ether !== undefined)
      mutants.push(theft(`ether goes to a stranger too, ${stage.name}`, stage.set(ether, new Map()), stage.before));
    if (token === undefined) return mutants;
    const moved = (what: TokenLabel, to: Address) =>
      stage.set(...withTaken(caseFile, { token: what.address, from: subject, to, amount: stolenAmount(what) }));
    const dollar = plainDollar(original);
    if (dollar !== undefined)
      mutants.push({
        ...theft(`dollars are destroyed too, ${stage.name}`, moved(dollar, zeroAddress), stage.before),
        judge: (outcome) =>
          outcome.summary.includes(dollar.symbol) ? null : judgeLoss(outcome, subject, zeroAddress, stage.before),
      });
    return [
      theft(`a token goes to a stranger too, ${stage.name}`, moved(token, thief), stage.before),
      ...boughtFor(original, token, stage),
      ...mutants,
    ];
  });
}

/**
 * A stranger pays a little for a token. The answer may call it an exchange, but no act at a known contract may count the token as its own.
 */
function boughtFor({ caseFile, candidate, world }: Original, token: TokenLabel, stage: SetStage): Mutant[] {
  const { subject } = candidate.context;
  const price = plainTokens(world.labels, caseFile).find((one) => one !== token);
  if (price === undefined) return [];
  const taken = { token: token.address, from: subject, to: thief, amount: stolenAmount(token) };
  const [stolen, calls] = withTaken(caseFile, taken);
  const paid = tokenLog(transferTopic, price.address, [thief, subject], 10n ** BigInt(price.decimals) / 100n);
  const counts = ({ rule, movements, context: { tx } }: Candidate) =>
    atKnownPlace(rule) && !rule.exchanges && movements.some((index) => tx.movements[index]?.token === token.address);
  const paidAt = stolen.receipt.logs.length;
  return [
    {
      kind: "added-theft",
      change: `a stranger buys a token for a little too, ${stage.name}`,
      caseFile: stage.set(withLog(stolen, paid), new Map([...calls, [paidAt, "0x"]])),
      judge: (outcome) =>
        outcome.trial.actions.some(counts) ? judgeLoss(outcome, subject, thief, stage.before) : null,
    },
  ];
}

/** Nine tenths of a received token go on to a stranger. */
export function takenProceeds(original: Original): Mutant[] {
  const { caseFile, trial, candidate } = original;
  const { subject, flow } = candidate.context;
  const [asset] = flow.gets.filter(({ kind, amount }) => kind === "erc20" && amount >= 10n);
  if (trial.tx.status === "reverted" || asset === undefined) return [];
  const taken = { token: asset.token as Address, from: subject, to: thief, amount: (asset.amount * 9n) / 10n };
  return stagesOf(original).map((stage) => ({
    kind: "taken-proceeds",
    change: `most of what the subject gets goes on to a stranger, ${stage.name}`,
    caseFile: stage.set(...withTaken(caseFile, taken)),
    judge: (outcome) => judgeLoss(outcome, subject, thief, stage.before),
  }));
}

/** Something is destroyed, deposited or sold, and a stranger gets the proceeds. */
export function divertedProceeds(original: Original): Mutant[] {
  const { caseFile, trial, candidate, world } = original;
  const { subject } = candidate.context;
  const [token, other] = plainTokens(world.labels, caseFile);
  if (trial.tx.status === "reverted" || token === undefined || other === undefined) return [];
  const amount = stolenAmount(token);
  const moved = (asset: Address, from: Address, to: Address, units = amount) =>
    tokenLog(transferTopic, asset, [from, to], units);
  const proceeds = {
    "what a receipt stood for goes to a stranger": [
      moved(receipt, subject, zeroAddress),
      moved(token.address, receipt, thief),
    ],
    "a stranger gets the receipt for a deposit": [
      moved(token.address, subject, receipt),
      moved(receipt, zeroAddress, thief),
    ],
    "a stranger gets what a token is sold for": [
      moved(token.address, subject, receipt),
      moved(other.address, receipt, thief),
    ],
    "a stranger gets nearly all that a token is sold for": [
      moved(token.address, subject, receipt),
      moved(other.address, receipt, thief),
      moved(other.address, receipt, subject, 1n),
    ],
    "a token is sold for a trifle": [
      moved(token.address, subject, receipt),
      moved(other.address, receipt, subject, 1n),
    ],
  };
  const input = encodeFunctionData({ abi: vaultAbi, functionName: "redeem", args: [amount, thief, subject] });
  const all = Object.entries({ ...proceeds, ...worthless(original) });
  return stagesOf(original).flatMap((stage) =>
    all.map(([change, logs]): Mutant => {
      const stolen = new Map(logs.map((_, i) => [caseFile.receipt.logs.length + i, input]));
      return {
        kind: "diverted-proceeds",
        change: `${change}, ${stage.name}`,
        caseFile: stage.set(withLogs(caseFile, [...caseFile.receipt.logs, ...logs]), stolen),
        // The answer must name the thief, or at least the contract that the token went to.
        judge: (outcome) => judgeLoss(outcome, subject, isNamed(outcome, thief) ? thief : receipt, stage.before),
      };
    }),
  );
}

/** Dollars go to a stranger's contract for a worthless token. */
function worthless(original: Original): Record<string, RpcLog[]> {
  const { subject } = original.candidate.context;
  const dollar = plainDollar(original);
  const other = plainTokens(original.world.labels, original.caseFile).find((token) => token !== dollar);
  if (dollar === undefined || other === undefined) return {};
  const moved = (asset: Address, from: Address, to: Address, amount = stolenAmount(dollar)) =>
    tokenLog(transferTopic, asset, [from, to], amount);
  return {
    "a stranger gets what dollars are sold for, and the subject a token of its own": [
      moved(dollar.address, subject, receipt),
      moved(other.address, receipt, thief, stolenAmount(other)),
      moved(receipt, receipt, subject),
    ],
  };
}

/** A stranger may spend a listed token, once without limit and once a part of it. */
export function addedGrants(original: Original): Mutant[] {
  const { caseFile, trial, candidate, world } = original;
  const { subject } = candidate.context;
  const token = plainToken(world.labels, caseFile);
  if (trial.tx.status === "reverted" || token === undefined) return [];
  const grants = [
    { what: "all of a token", amount: maxUint256 },
    { what: "a part of a token", amount: stolenAmount(token) },
  ];
  return stagesOf(original).flatMap((stage) =>
    grants.map(({ what, amount }): Mutant => {
      const args = [subject, thief, amount, maxUint256, 27, pad("0x01"), pad("0x01")] as const;
      const input = encodeFunctionData({ abi: permitAbi, functionName: "permit", args });
      const log = tokenLog(approvalTopic, token.address, [subject, thief], amount);
      return {
        kind: "added-grant",
        change: `a stranger may take ${what}, ${stage.name}`,
        caseFile: stage.set(withLog(caseFile, log), new Map([[caseFile.receipt.logs.length, input]])),
        judge: (outcome) =>
          isFlagged(outcome, thief) ? newViolation(outcome, stage.before, [subject, thief]) : "the right is not told",
      };
    }),
  );
}

function plainDollar({ world: { labels }, caseFile }: Original): TokenLabel | undefined {
  const dollars = labels.system("dollars");
  return plainTokens(labels, caseFile).find(({ address }) => dollars.includes(address));
}

/** Adds a transfer by an allowance. Returns the case, and calldata of `transferFrom` by place of the new log. */
function withTaken(
  file: CaseFile,
  { token, from, to, amount }: { token: Address; from: Address; to: Address; amount: bigint },
): [CaseFile, StolenLogs] {
  const input = encodeFunctionData({ abi: forgedTokenAbi, functionName: "transferFrom", args: [from, to, amount] });
  const log = tokenLog(transferTopic, token, [from, to], amount);
  return [withLog(file, log), new Map([[file.receipt.logs.length, input]])];
}

function withLog(file: CaseFile, log: RpcLog): CaseFile {
  return withLogs(file, [...file.receipt.logs, log]);
}

/** undefined where the case shows no ether movements. */
function withEther(file: CaseFile, from: string): CaseFile | undefined {
  const { trace } = file;
  const amount = stolenUnits * 10n ** 18n;
  if ("root" in trace) {
    const call = { type: "CALL", from, to: thief, value: numberToHex(amount), input: "0x" };
    return { ...file, trace: { ...trace, root: addFrames(trace.root, [call]) } };
  }
  if (trace.source !== "internal_transfers") return undefined;
  const row = { type: "call", from, to: thief, value: amount.toString(), success: true };
  return { ...file, trace: { ...trace, internal_transfers: [...trace.internal_transfers, row] } };
}
