import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { addTo, distinct, heaviestFirst, sorted } from "../../../kernel/lists.ts";
import { isLabelled } from "../../../model/label.ts";
import type { Movement } from "../../../model/transaction.ts";
import { assetKeyOf, type Parcel } from "../../money/trail.ts";
import { weigherOf } from "../../money/weight.ts";
import type { SubjectAct } from "../subject-act.ts";
import { type Entry, ranks } from "./entry.ts";

/** Who has the principals' money in the end. */
export interface FollowedMoney {
  entries: Entry[];
  /** Assets not followed to the end. */
  unfollowed: number;
  /** Got money of principals, even if passed on. */
  reached: ReadonlySet<Address>;
}

/** Gifts (one account, one asset) that are followed, of all principals together. */
const followedMax = 64;

/**
 * Follows what principals gave to its last holder, and what others got in exchange. Of each asset the largest part comes first, so that
 * dust pushes nobody out. Accounts that passed money on are only looked up in the drainer lists.
 */
export function followMoney(act: SubjectAct): FollowedMoney {
  if (act.tx.movements.length === 0) return { entries: [], unfollowed: 0, reached: new Set() };
  const gifts = giftsBy(act.tx.movements);
  const found: (Entry & { place: number })[] = [];
  // Money only passes through known contracts; direct dealings with them are examined elsewhere.
  const isKnown = (address: Address) => act.labels.name(address) !== undefined;
  const reached = new Set<Address>();
  let unfollowed = 0;
  let left = followedMax;
  for (const account of act.principals) {
    const given = gifts.get(account);
    if (given === undefined) continue;
    const holders = new Set<Address>();
    for (const [key, moves] of weightiest(byAsset(given), act)) {
      const parcels = partsOf(account, key, moves, act);
      if (parcels.some(({ cut }) => cut)) unfollowed++;
      const rank = isBelieved(moves[0] as Movement, account, act) ? ranks.money : ranks.junk;
      parcels.forEach(({ holder, path }, place) => {
        holders.add(holder);
        for (const address of [holder, ...path]) reached.add(address);
        const beyond = path.some((address) => issued(address, account, act));
        if (path.length === 0 || !isKnown(holder))
          found.push({ ...entryOf(holder, beyond ? ranks.listsOnly : rank, account), place });
        for (const address of path)
          if (!isKnown(address)) found.push({ ...entryOf(address, ranks.listsOnly, account), place });
      });
    }
    const proceeds = followProceeds(account, holders, gifts, act, left);
    left -= proceeds.followed;
    if (proceeds.cut) unfollowed++;
    for (const { address } of proceeds.entries) reached.add(address);
    found.push(
      ...proceeds.entries.filter(({ address }) => !isKnown(address)).map((entry, place) => ({ ...entry, place })),
    );
  }
  return { entries: sorted(found, (a, b) => a.place - b.place), unfollowed, reached };
}

/** By the account that gave. */
type Gifts = ReadonlyMap<Address, readonly Movement[]>;

/** Without a token sent to its own contract. */
function giftsBy(movements: readonly Movement[]): Gifts {
  const gifts = new Map<Address, Movement[]>();
  for (const move of movements) {
    if (move.fee || move.amount === 0n || move.from === move.to || move.to === move.token) continue;
    addTo(gifts, move.from, move);
  }
  return gifts;
}

type OfAsset = readonly [key: string, moves: readonly Movement[]];

function byAsset(given: readonly Movement[]): readonly OfAsset[] {
  if (given.length > 1) return [...Map.groupBy(given, assetKeyOf)];
  return [[assetKeyOf(given[0] as Movement), given]];
}

/** Up to so many assets all receivers fit, in any order. */
const fewAssets = 3;

/** The heaviest first, so that dust pushes nobody out. */
function weightiest(assets: readonly OfAsset[], { file, labels }: SubjectAct): readonly OfAsset[] {
  if (assets.length <= fewAssets) return assets;
  const weigh = weigherOf(file, labels);
  return heaviestFirst(assets, ([, moves]) => {
    const amount = moves.reduce((sum, move) => sum + move.amount, 0n);
    return weigh({ token: (moves[0] as Movement).token, amount });
  });
}

/** One for each holder, the largest first. */
function partsOf(account: Address, key: string, moves: readonly Movement[], { trail }: SubjectAct): Parcel[] {
  const parcels = trail.parcelsOf(account, { key, movements: moves.map(({ index }) => index) });
  const kept = parcels.filter(({ holder, first }) => holder !== account && holder !== first.token);
  if (kept.length < 2) return kept;
  const parts = new Map<Address, Parcel>();
  for (const parcel of kept) {
    const known = parts.get(parcel.holder);
    if (known === undefined) parts.set(parcel.holder, parcel);
    else
      parts.set(parcel.holder, {
        ...known,
        amount: known.amount + parcel.amount,
        path: distinct([...known.path, ...parcel.path]),
        cut: known.cut || parcel.cut,
      });
  }
  return heaviestFirst([...parts.values()], ({ amount }) => amount);
}

/** A known contract minted shares for the account: what it does with the money is its own business. */
function issued(address: Address, account: Address, { tx, labels, isProven }: SubjectAct): boolean {
  if (!isLabelled(labels, address) && !isProven(address)) return false;
  return tx.movements.some(
    ({ token, from, to, amount }) => token === address && from === zeroAddress && to === account && amount > 0n,
  );
}

/** Ether, a listed token, or a token that the account called. Others can claim any movement. */
function isBelieved({ token }: Movement, account: Address, { labels, calls }: SubjectAct): boolean {
  if (token === null || labels.token(token) !== undefined) return true;
  return calls.some((call) => call.actor === account && call.to === token);
}

interface Proceeds {
  entries: readonly Entry[];
  followed: number;
  cut: boolean;
}

const noProceeds: Proceeds = { entries: [], followed: 0, cut: false };

/**
 * Proceeds of a swap that others got, also over further exchanges. Accounts in between are only looked up in the drainer lists. The code of
 * the last is examined where the account itself got nothing.
 */
function followProceeds(
  account: Address,
  holders: ReadonlySet<Address>,
  gifts: Gifts,
  act: SubjectAct,
  followedLeft: number,
): Proceeds {
  if (holders.size === 0) return noProceeds;
  const seen = new Set<Address>([account, ...holders]);
  const open = [...holders];
  const entries: Entry[] = [];
  const gotNothing = !act.tx.movements.some((move) => move.to === account && move.amount > 0n && !move.fee);
  let followed = 0;
  const take = ({ holder, path }: Parcel): void => {
    for (const address of path) if (!seen.has(address)) entries.push(entryOf(address, ranks.listsOnly, account));
    if (seen.has(holder)) return;
    seen.add(holder);
    const isLast = !gifts.has(holder);
    entries.push(entryOf(holder, isLast && gotNothing ? ranks.money : ranks.listsOnly, account));
    if (!isLast) open.push(holder);
  };
  for (let from = open.shift(); from !== undefined; from = open.shift()) {
    const given = gifts.get(from);
    if (given === undefined) continue;
    for (const [key, moves] of byAsset(given)) {
      if (followed++ >= followedLeft) return { entries, followed, cut: true };
      for (const parcel of partsOf(from, key, moves, act)) take(parcel);
    }
  }
  return { entries, followed, cut: false };
}

function entryOf(address: Address, rank: number, account: Address): Entry {
  return { address, role: "recipient", rank, account };
}
