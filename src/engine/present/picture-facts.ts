import { type Address, checksum, shorten } from "../../kernel/address.ts";
import { decimalText } from "../../kernel/amount.ts";
import { limits } from "../../kernel/limits.ts";
import { addressLabel } from "../../model/label.ts";
import type {
  ChangeFacts,
  FailureFacts,
  GrantFacts,
  LegFacts,
  LogFacts,
  PictureFacts,
  TokenText,
} from "../../model/told/picture-facts.ts";
import type { Movement } from "../../model/transaction.ts";
import type { Grant } from "../assess/grants/grants.ts";
import { movementsOf } from "../normalize/movement-index.ts";
import type { AssetNames } from "./amounts/asset-names.ts";
import { isoTime, yearTenThousand } from "./amounts/measure.ts";
import type { Findings } from "./findings.ts";
import { spentGrants } from "./given/grants.ts";
import { type ReasonWords, revertReason } from "./reasons/revert-reason.ts";
import type { Words } from "./teller/words.ts";

/** `kept`: movements of `assets_moved`. */
export function gatherPictureFacts(
  findings: Findings,
  kept: readonly Movement[],
  { names, ...words }: Pick<Words, "names"> & ReasonWords,
): PictureFacts {
  const { tx, subject, assessment, labels } = findings;
  const isSpent = spentGrants(tx, labels);
  const grants = assessment.grants.filter((grant) => grant.stands && !isSpent(grant)).slice(0, grantsMax);
  const failures = failuresOf(findings, words);
  return {
    subject: checksum(subject),
    sender: checksum(tx.from),
    target: tx.to === null ? null : checksum(tx.to),
    legs: kept.map((move) => legOf(move, names)),
    cut: tx.movements.length - kept.length,
    changes: changesOf(movementsOf(tx.movements, subject), subject, names),
    grants: grants.map((grant) => grantOf(grant, names)),
    labels: labelsOf(findings, kept, grants),
    failures,
    logs: logsOf(findings),
  };
}

const grantsMax = 50;
const failuresMax = 20;
const changesMax = 200;

function legOf({ index, token, standard, fee, basis }: Movement, names: AssetNames): LegFacts {
  const isAmount = standard === "native" || standard === "erc20";
  return {
    movement: index,
    fee,
    raw: isAmount && names.facts(token).decimals === null,
    inferred: basis === "inferred" || basis === "calldata",
  };
}

/** As in `assets_moved`. */
function textOf(token: Address | null, names: AssetNames): TokenText {
  const { symbol, listed } = names.facts(token);
  return {
    token: symbol ?? shorten(token as Address),
    untrusted: !listed && symbol !== null,
    token_address: token === null ? null : checksum(token),
  };
}

function changesOf(movements: readonly Movement[], subject: Address, names: AssetNames): ChangeFacts[] {
  const sums = new Map<string, { move: Movement; amount: bigint }>();
  for (const move of movements) {
    if (move.from === move.to || (move.from !== subject && move.to !== subject)) continue;
    const key = `${move.token}:${move.tokenId}`;
    const known = sums.get(key)?.amount ?? 0n;
    sums.set(key, { move, amount: known + (move.to === subject ? move.amount : -move.amount) });
  }
  const changed = [...sums.values()].filter(({ amount }) => amount !== 0n);
  const ordered = [...changed.filter(({ amount }) => amount < 0n), ...changed.filter(({ amount }) => amount > 0n)];
  return ordered.slice(0, changesMax).map(({ move: { token, tokenId }, amount }) => ({
    ...textOf(token, names),
    ...(tokenId !== null && { token_id: tokenId.toString() }),
    delta: tokenId === null ? names.exact(token, amount) : decimalText(amount, 0),
    raw: tokenId === null && names.facts(token).decimals === null,
  }));
}

function grantOf(grant: Grant, names: AssetNames): GrantFacts {
  const { owner, grantee, kind, token, amount, manager, expiration, uncertain } = grant;
  const isUnlimited = amount !== null && (names.isUnlimited(token, amount) || amount === manager?.unlimited);
  const ends = expiration !== null && expiration !== manager?.never && expiration < yearTenThousand;
  return {
    owner: checksum(owner),
    spender: checksum(grantee),
    kind: kind === "nft" || kind === "operator" ? kind : "amount",
    ...textOf(token, names),
    amount: amount === null ? null : names.exact(token, amount),
    raw: amount !== null && names.facts(token).decimals === null,
    unlimited: isUnlimited,
    through: manager?.protocol ?? null,
    until: ends ? isoTime(Number(expiration)).slice(0, 10) : null,
    uncertain,
  };
}

/** By EIP-55 address. */
function labelsOf(
  { tx, labels, unwrapped }: Findings,
  kept: readonly Movement[],
  grants: readonly Grant[],
): Record<string, string> {
  const failed = unwrapped.calls.filter(({ state }) => state === "failed").slice(0, failuresMax);
  const shown = new Set<Address>([
    tx.from,
    ...(tx.to === null ? [] : [tx.to]),
    ...kept.flatMap(({ from, to }) => [from, to]),
    ...grants.flatMap(({ owner, grantee }) => [owner, grantee]),
    ...failed.flatMap(({ actor, to }) => (to === null ? [actor] : [actor, to])),
  ]);
  const named: Record<string, string> = {};
  for (const address of shown) {
    const name = addressLabel(labels, address);
    if (name !== null) named[checksum(address)] = name;
  }
  return named;
}

/** The transaction's own call if all reverted, else failed calls of accounts inside. */
function failuresOf(findings: Findings, words: ReasonWords): FailureFacts[] {
  const { tx, unwrapped } = findings;
  // A request never ran.
  if (tx.mode === "requested") return [];
  if (tx.status === "reverted") {
    const reason = revertReason(findings, words);
    const [from, to] = [checksum(tx.from), tx.to === null ? null : checksum(tx.to)];
    const selector = selectorIn(tx.input);
    return [{ from, to, selector, reason: reason?.text ?? null, untrusted: reason?.untrusted ?? false }];
  }
  return unwrapped.calls
    .filter(({ state }) => state === "failed")
    .slice(0, failuresMax)
    .map(({ actor, to, input }) => ({
      ...{ from: checksum(actor), to: to === null ? null : checksum(to), selector: selectorIn(input) },
      ...{ reason: null, untrusted: false },
    }));
}

function selectorIn(input: string): string | null {
  return input.length >= 10 ? input.slice(0, 10) : null;
}

function logsOf({ tx, settled, completeness }: Findings): LogFacts[] {
  const shown = new Set(settled.actions.flatMap(({ logs }) => logs));
  for (const { index } of completeness.findLogs().slice(0, limits.evidenceMax)) shown.add(index);
  return [...shown]
    .sort((a, b) => a - b)
    .slice(0, limits.evidenceMax)
    .flatMap((index) => {
      const log = tx.logs[index];
      return log === undefined ? [] : [{ log: index, address: checksum(log.address), topic0: log.topics[0] ?? null }];
    });
}
