import { type Address, readAddress, toAddress } from "../../kernel/address.ts";
import { readQuantity } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import { distinct } from "../../kernel/lists.ts";
import type { CaseFile, RpcAuthorization } from "../../model/case-file.ts";
import type { CodeAuthorization } from "../../model/transaction.ts";
import { isLowSignature, recoverAuthority } from "./authority.ts";

/** Requires this nonce of its authority. */
type Signed = CodeAuthorization & { nonce: bigint };

/**
 * EIP-7702, those that took effect, in order: for this chain, with the authority's next nonce; of one authority the last counts. The next
 * nonce is known for the sender only: of others all readings stay, so that none is hidden. Above the limit, the sender's next nonces first,
 * then the first of each delegate, so that equal ones hide no other. `truncated`: how many are not read.
 */
export function standingAuthorizations({ chain_id, transaction }: CaseFile, truncated: string[]): CodeAuthorization[] {
  const list = transaction.authorizationList ?? [];
  if (list.length === 0) return [];
  const sender = toAddress(transaction.from);
  const sent = readQuantity(transaction.nonce);
  const kept = withinLimit(list, sent);
  if (kept.length < list.length) truncated.push(`${list.length - kept.length} authorizations`);
  const signed = kept.flatMap((item) => readSigned(item, BigInt(chain_id)));
  const standing = new Set<Signed>(signed.filter(({ authority }) => authority === null));
  for (const [authority, own] of Map.groupBy(signed, (one) => one.authority)) {
    if (authority === null) continue;
    const starts = authority === sender && sent !== undefined ? [sent + 1n] : distinct(own.map(({ nonce }) => nonce));
    for (const start of starts) {
      const last = lastValid(own, start);
      if (last !== undefined) standing.add(last);
    }
  }
  const told = signed.filter((one) => standing.has(one)).map(({ authority, delegate }) => ({ authority, delegate }));
  return newFirst(told, ({ delegate }) => delegate);
}

/** Up to the limit, in order. */
function withinLimit(list: readonly RpcAuthorization[], sent: bigint | undefined): readonly RpcAuthorization[] {
  const { authorizationsMax } = limits;
  if (list.length <= authorizationsMax) return list;
  const mayBeSenders = ({ nonce }: RpcAuthorization): boolean => {
    const ahead = sent === undefined ? -1n : (readQuantity(nonce) ?? 0n) - sent;
    return ahead > 0n && ahead <= BigInt(authorizationsMax);
  };
  const ordered = [
    ...list.filter(mayBeSenders),
    ...newFirst(
      list.filter((item) => !mayBeSenders(item)),
      ({ address }) => address,
    ),
  ];
  const kept = new Set(ordered.slice(0, authorizationsMax));
  return list.filter((item) => kept.has(item));
}

/** Repeated delegates come later. */
function newFirst<T>(list: readonly T[], delegateOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  const repeated: T[] = [];
  const news = list.filter((item) => {
    const isNew = !seen.has(delegateOf(item));
    seen.add(delegateOf(item));
    if (!isNew) repeated.push(item);
    return isNew;
  });
  return [...news, ...repeated];
}

function readSigned(item: RpcAuthorization, chainId: bigint): Signed[] {
  const [chain, nonce] = [readQuantity(item.chainId), readQuantity(item.nonce) ?? 0n];
  const delegate: Address | undefined = readAddress(item.address);
  if (delegate === undefined || (chain !== 0n && chain !== chainId)) return [];
  const authority = recoverAuthority(item) ?? null;
  return authority !== null && !isLowSignature(item) ? [] : [{ authority, delegate, nonce }];
}

/** As the chain does: each valid one raises the nonce. */
function lastValid(own: readonly Signed[], start: bigint): Signed | undefined {
  let next = start;
  let last: Signed | undefined;
  for (const one of own)
    if (one.nonce === next) {
      next++;
      last = one;
    }
  return last;
}
