import { type Address, zeroAddress } from "../kernel/address.ts";
import type { NetAsset, NetFlow } from "../model/match.ts";
import type { Movement, Transaction } from "../model/transaction.ts";

/**
 * Net change of every asset for one account; gas of an account-abstraction envelope is left out, and so is what `without` names:
 * movements that other actions explain.
 */
export function netFlow(tx: Transaction, account: Address, without: ReadonlySet<number> = none): NetFlow {
  const assets = new Map<string, NetAsset>();
  const recipients = new Set<Address>();
  const senders = new Set<Address>();
  for (const movement of tx.movements) {
    if (movement.fee || (movement.from !== account && movement.to !== account) || without.has(movement.index)) continue;
    const asset = assetOf(assets, movement);
    asset.movements.push(movement.index);
    if (movement.from === account) {
      asset.amount -= movement.amount;
      if (movement.to !== account) recipients.add(movement.to);
    }
    if (movement.to === account) {
      asset.amount += movement.amount;
      if (movement.from !== account) senders.add(movement.from);
    }
  }
  const flow: NetFlow = {
    account,
    gives: [],
    gets: [],
    neutral: [],
    recipients: [...recipients],
    senders: [...senders],
    minted: senders.has(zeroAddress),
    burned: recipients.has(zeroAddress),
    wraps: false,
    complete: tx.nativeComplete,
  };
  for (const asset of assets.values()) {
    if (asset.amount < 0n) flow.gives.push({ ...asset, amount: -asset.amount });
    else if (asset.amount > 0n) flow.gets.push(asset);
    else flow.neutral.push(...asset.movements);
  }
  flow.gives = placedFirst(flow.gives, tx);
  flow.wraps = wrapsOnly(flow, tx.weth);
  return flow;
}

/** Ether whose place in the transaction is not known goes with the calls that the account made: before what they led to. */
function placedFirst(gives: NetAsset[], tx: Transaction): NetAsset[] {
  const unplaced = ({ kind, movements }: NetAsset) =>
    kind === "native" && movements.every((index) => !/envelope|trace/.test(tx.movements[index]?.basis ?? ""));
  return [...gives.filter(unplaced), ...gives.filter((asset) => !unplaced(asset))];
}

function wrapsOnly({ gives, gets }: NetFlow, weth: ReadonlySet<Address>): boolean {
  const [given, gotten] = [gives[0], gets[0]];
  if (given === undefined || gotten === undefined || gives.length + gets.length !== 2) return false;
  if (given.amount !== gotten.amount) return false;
  const isWeth = (token: Address | null) => token !== null && weth.has(token);
  return (given.token === null && isWeth(gotten.token)) || (gotten.token === null && isWeth(given.token));
}

const none: ReadonlySet<number> = new Set();

function assetOf(assets: Map<string, NetAsset>, movement: Movement): NetAsset {
  const nft = movement.standard === "erc721" || movement.standard === "erc1155";
  const key = nft ? `${movement.token}:${movement.tokenId}` : (movement.token ?? "native");
  const known = assets.get(key);
  if (known !== undefined) return known;
  const kind = nft ? "nft" : movement.standard === "native" ? "native" : "erc20";
  const made: NetAsset = {
    key,
    kind,
    token: movement.token,
    tokenId: nft ? movement.tokenId : null,
    amount: 0n,
    movements: [],
  };
  assets.set(key, made);
  return made;
}
