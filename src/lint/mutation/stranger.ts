import { numberToHex, pad, parseAbi } from "viem/utils";
import { type Address, checksum, shorten, toAddress } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { CaseFile, RpcLog } from "../../model/case-file.ts";
import type { Labels, TokenLabel } from "../../model/label.ts";
import { type CaseOutcome, newViolation } from "./case-outcome.ts";

/** The functions of EIP-20 that move tokens. */
export const tokenAbi = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
]);

/** Who forges: accounts that no example knows. `front` is the contract that the victim calls, `receipt` one whose shares it holds. */
export const forgers = {
  thief: toAddress(`0x71e${"0".repeat(34)}71e`),
  victim: toAddress(`0xf001${"0".repeat(32)}f001`),
  front: toAddress(`0xfab${"0".repeat(34)}fab`),
  receipt: toAddress(`0x4ece${"0".repeat(32)}4ece`),
} as const satisfies Record<string, Address>;

/** How many whole units are stolen: more than any fee. */
export const stolenUnits = 10_000n;

/** How the summary says that more went away, or to more accounts, than it has room for (rules/wording.yaml). */
const countedLoss = /\b\d+ more assets?\b/;
const countedReceivers = /\b\d+ recipients\b/;

/** A log of a token about an amount and two accounts, as EIP-20 has them. */
export function tokenLog(topic: Hex, token: Address, [a, b]: readonly [Address, Address], amount: bigint): RpcLog {
  return { address: token, topics: [topic, pad(a), pad(b)], data: numberToHex(amount, { size: 32 }) };
}

export function stolenAmount({ decimals }: TokenLabel): bigint {
  return stolenUnits * 10n ** BigInt(decimals);
}

/** Whether the summary has the address, in full or in short. */
export function isNamed({ summary }: CaseOutcome, address: Address): boolean {
  return mentions(summary, address);
}

/** Whether the summary names whoever got what was lost, or says how much or how many it leaves out. */
export function isLossTold(outcome: CaseOutcome, to: Address): boolean {
  return isNamed(outcome, to) || isLossCounted(outcome);
}

function isLossCounted({ summary, decision }: CaseOutcome): boolean {
  return countedReceivers.test(summary) || (decision.explanation.partial && countedLoss.test(summary));
}

/**
 * What is wrong with an answer that does not tell the loss of an account, or breaks a law that the answer before kept; null when
 * nothing is. Where nothing is told of the account, and it did not send the transaction, no sentence claims its money.
 */
export function judgeLoss(outcome: CaseOutcome, account: Address, to: Address, before: CaseOutcome): string | null {
  if (account !== outcome.trial.tx.from && !outcome.hasActOf(account)) return null;
  if (isNamed(outcome, to)) return newViolation(outcome, before, [account, to]);
  return isLossCounted(outcome) ? null : "the stranger is not told";
}

/** Whether the summary or a flag has the address. */
export function isFlagged(outcome: CaseOutcome, address: Address): boolean {
  return (
    isNamed(outcome, address) || outcome.decision.explanation.risk_flags.some((one) => mentions(one.detail, address))
  );
}

function mentions(text: string, address: Address): boolean {
  return text.includes(shorten(address)) || text.includes(checksum(address));
}

/** A well-known token that the case does not touch: its own movements must not be mistaken for the forged one. */
export function plainToken(labels: Labels, file: CaseFile): TokenLabel | undefined {
  return plainTokens(labels, file)[0];
}

/** All of them. */
export function plainTokens(labels: Labels, { receipt }: CaseFile): TokenLabel[] {
  const touched = new Set<string>(receipt.logs.map((log) => log.address.toLowerCase()));
  const unfit = (address: Address) => touched.has(address) || labels.system("weth").includes(address);
  return labels.tokens().filter(({ wellKnown, address }) => wellKnown && !unfit(address));
}
