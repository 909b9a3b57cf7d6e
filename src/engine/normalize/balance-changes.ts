import { type Address, isBurnAddress, zeroAddress } from "../../kernel/address.ts";
import { distinct } from "../../kernel/lists.ts";
import type { AssetChange, BalanceChanges } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { movementsOf } from "./movement-index.ts";

/** Net, by asset; without gas through a wrapper, and without `without`, which other actions explain. */
export function balanceChanges(tx: Transaction, account: Address, without?: Members): BalanceChanges {
  if (without !== undefined) return changesOf(tx, account, without);
  if (tx !== last.tx) last = { tx, changes: new Map() };
  let own = last.changes.get(account);
  if (own === undefined) {
    own = changesOf(tx, account, none);
    last.changes.set(account, own);
  }
  return own;
}

/** A pure cache of the last transaction; a WeakMap costs more than it saves. */
let last: { tx: Transaction | undefined; changes: Map<Address, BalanceChanges> } = {
  tx: undefined,
  changes: new Map(),
};

function changesOf(tx: Transaction, account: Address, without: Members): BalanceChanges {
  const { assets, recipients, senders } = sumsOf(tx, account, without);
  const flow: BalanceChanges = {
    account,
    gives: [],
    gets: [],
    neutral: [],
    recipients,
    senders,
    minted: senders.includes(zeroAddress) && someMostlyWith(zeroAddress, tx, account, without, "from"),
    burned: recipients.some((one) => isBurnAddress(one) && someMostlyWith(one, tx, account, without, "to")),
    wraps: false,
    complete: tx.nativeComplete,
  };
  for (const asset of assets) {
    if (asset.amount < 0n) flow.gives.push({ ...asset, amount: -asset.amount });
    else if (asset.amount > 0n) flow.gets.push(asset);
    else flow.neutral.push(asset);
  }
  flow.gives = placedFirst(flow.gives, tx);
  flow.wraps = wrapsOnly(flow, tx.weth);
  return flow;
}

/** Positive: received. */
function sumsOf(tx: Transaction, account: Address, without: Members) {
  const assets: Assets = { list: [], byKey: undefined };
  const recipients: Address[] = [];
  const senders: Address[] = [];
  for (const movement of movementsOf(tx.movements, account)) {
    const { from, to, amount } = movement;
    if (movement.fee || (from !== account && to !== account) || without.has(movement.index)) continue;
    const asset = assetOf(assets, movement);
    if (from === to) continue;
    if (from === account) {
      asset.amount -= amount;
      recipients.push(to);
    } else {
      asset.amount += amount;
      senders.push(from);
    }
  }
  return { assets: assets.list, recipients: distinct(recipients), senders: distinct(senders) };
}

/** At least half of some asset is from or to this party. A small minted or burned part, such as a fee, leaves the token traded. */
function someMostlyWith(
  party: Address,
  tx: Transaction,
  account: Address,
  without: Members,
  side: "from" | "to",
): boolean {
  const own = side === "from" ? "to" : "from";
  const surplus = new Map<string, bigint>();
  for (const movement of movementsOf(tx.movements, account)) {
    if (movement.fee || without.has(movement.index) || movement[own] !== account || movement[side] === account)
      continue;
    const key = `${movement.token}:${movement.tokenId}`;
    const { amount } = movement;
    surplus.set(key, (surplus.get(key) ?? 0n) + (movement[side] === party ? amount : -amount));
  }
  return [...surplus.values()].some((amount) => amount >= 0n);
}

/** Ether without a known place first. */
function placedFirst(gives: AssetChange[], tx: Transaction): AssetChange[] {
  if (gives.length < 2) return gives;
  const unplaced = ({ kind, movements }: AssetChange) =>
    kind === "native" && movements.every((index) => !isPlaced(tx.movements[index]));
  return [...gives.filter(unplaced), ...gives.filter((asset) => !unplaced(asset))];
}

function isPlaced(move: Movement | undefined): boolean {
  return move?.basis === "transaction" || move?.basis === "trace";
}

function wrapsOnly({ gives, gets }: BalanceChanges, weth: ReadonlySet<Address>): boolean {
  const [given, gotten] = [gives[0], gets[0]];
  if (given === undefined || gotten === undefined || gives.length + gets.length !== 2) return false;
  if (given.amount !== gotten.amount) return false;
  const isWeth = (token: Address | null) => token !== null && weth.has(token);
  return (given.token === null && isWeth(gotten.token)) || (gotten.token === null && isWeth(given.token));
}

/** Positions of movements. */
type Members = Pick<ReadonlySet<number>, "has">;

const none: Members = new Set();

interface Assets {
  list: AssetChange[];
  /** For many assets; few are faster in the list. */
  byKey: Map<string, AssetChange> | undefined;
}

const soughtMax = 8;

/** With this movement added. */
function assetOf(assets: Assets, movement: Movement): AssetChange {
  const nft = movement.standard === "erc721" || movement.standard === "erc1155";
  const key = nft ? `${movement.token}:${movement.tokenId}` : (movement.token ?? "native");
  const known = assets.byKey === undefined ? find(assets.list, key) : assets.byKey.get(key);
  if (known !== undefined) {
    known.movements.push(movement.index);
    return known;
  }
  const kind = nft ? "nft" : movement.standard === "native" ? "native" : "erc20";
  const made: AssetChange = {
    key,
    kind,
    token: movement.token,
    tokenId: nft ? movement.tokenId : null,
    amount: 0n,
    movements: [movement.index],
  };
  assets.list.push(made);
  if (assets.byKey !== undefined) assets.byKey.set(key, made);
  else if (assets.list.length > soughtMax) assets.byKey = new Map(assets.list.map((asset) => [asset.key, asset]));
  return made;
}

function find(assets: readonly AssetChange[], key: string): AssetChange | undefined {
  for (const asset of assets) if (asset.key === key) return asset;
  return undefined;
}
