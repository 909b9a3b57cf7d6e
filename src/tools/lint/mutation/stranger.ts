import { numberToHex, pad, parseAbi } from "viem/utils";
import { type Address, checksum, shorten, toAddress } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { CaseFile, RpcLog } from "../../../model/case-file.ts";
import type { Labels, TokenLabel } from "../../../model/label.ts";
import { type CaseOutcome, newViolation } from "./case-outcome.ts";

/** EIP-20. */
export const forgedTokenAbi = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
]);

/** Accounts in no example. `front`: called by the victim. `receipt`: its shares are the victim's. */
export const forgers = {
  thief: toAddress(`0x71e${"0".repeat(34)}71e`),
  victim: toAddress(`0xf001${"0".repeat(32)}f001`),
  front: toAddress(`0xfab${"0".repeat(34)}fab`),
  receipt: toAddress(`0x4ece${"0".repeat(32)}4ece`),
} as const satisfies Record<string, Address>;

/** Whole units, more than any fee. */
export const stolenUnits = 10_000n;

/** More losses, or receivers, than there is room for (rules/wording.yaml). */
const countedLoss = /\b\d+ more assets?\b/;
const countedReceivers = /\b\d+ recipients\b/;

/** EIP-20: two indexed accounts and an amount. */
export function tokenLog(topic: Hex, token: Address, [a, b]: readonly [Address, Address], amount: bigint): RpcLog {
  return { address: token, topics: [topic, pad(a), pad(b)], data: numberToHex(amount, { size: 32 }) };
}

export function stolenAmount({ decimals }: TokenLabel): bigint {
  return stolenUnits * 10n ** BigInt(decimals);
}

/** By address, in full or in short form. */
export function isNamed({ summary }: CaseOutcome, address: Address): boolean {
  return mentions(summary, address);
}

/** The receiver is named, or the number of losses or receivers that are left out. */
export function isLossTold(outcome: CaseOutcome, to: Address): boolean {
  return isNamed(outcome, to) || isLossCounted(outcome);
}

function isLossCounted({ summary, decision }: CaseOutcome): boolean {
  return countedReceivers.test(summary) || (decision.explanation.partial && countedLoss.test(summary));
}

/**
 * An unstated loss, or a law that the answer before kept; null: nothing. An account that neither sent nor acted is not judged: no sentence
 * claims its money.
 */
export function judgeLoss(outcome: CaseOutcome, account: Address, to: Address, before: CaseOutcome): string | null {
  if (account !== outcome.trial.tx.from && !outcome.hasActionOf(account)) return null;
  if (isNamed(outcome, to)) return newViolation(outcome, before, [account, to]);
  return isLossCounted(outcome) ? null : "the stranger is not told";
}

/** Named in the summary or in a flag. */
export function isFlagged(outcome: CaseOutcome, address: Address): boolean {
  return (
    isNamed(outcome, address) || outcome.decision.explanation.risk_flags.some((one) => mentions(one.detail, address))
  );
}

function mentions(text: string, address: Address): boolean {
  return text.includes(shorten(address)) || text.includes(checksum(address));
}

/** Well known, without a log in the case, so that movements are not confused. */
export function plainToken(labels: Labels, file: CaseFile): TokenLabel | undefined {
  return plainTokens(labels, file)[0];
}

/** As {@link plainToken}, without wrapped ether. */
export function plainTokens(labels: Labels, { receipt }: CaseFile): TokenLabel[] {
  const touched = new Set<string>(receipt.logs.map((log) => log.address.toLowerCase()));
  const unfit = (address: Address) => touched.has(address) || labels.system("weth").includes(address);
  return labels.tokens().filter(({ wellKnown, address }) => wellKnown && !unfit(address));
}
