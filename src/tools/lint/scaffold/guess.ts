import { zeroAddress } from "../../../kernel/address.ts";
import type { AssetChange, BalanceChanges } from "../../../model/match.ts";
import type { Movement } from "../../../model/transaction.ts";
import { snakeCase } from "./argument.ts";

type Side = "gives" | "gets";

/** Words in names of functions and events; the first entry that fits the money flow counts. */
const meanings: readonly { words: RegExp; action: string; needs?: Side; lacks?: Side }[] = [
  { words: /liquidat/i, action: "liquidation" },
  { words: /borrow/i, action: "lending_borrow", needs: "gets" },
  { words: /repa(?:y|id)|payback/i, action: "lending_repay", needs: "gives" },
  { words: /add_?liquidity|increase_?liquidity/i, action: "add_liquidity", needs: "gives" },
  { words: /remove_?liquidity|decrease_?liquidity/i, action: "remove_liquidity", needs: "gets" },
  { words: /un_?stake|un_?lock/i, action: "unstake", needs: "gets" },
  { words: /stake|lock/i, action: "stake", needs: "gives" },
  { words: /supply|supplied/i, action: "lending_supply", needs: "gives" },
  { words: /bridge|cross_?chain|remote/i, action: "bridge_out", needs: "gives", lacks: "gets" },
  { words: /claim|harvest|reward/i, action: "claim", needs: "gets", lacks: "gives" },
  { words: /vote|propos|delegat/i, action: "governance" },
  { words: /attest/i, action: "attestation" },
  { words: /regist|renew/i, action: "name_registration" },
];

/** What the name of a function says, and on which side an amount of it moves. */
export function meaningOfName(name: string): { action: string; side: Side | null } | undefined {
  for (const { words, action, needs } of [...meanings, ...plainMeanings])
    if (words.test(name)) return { action, side: needs ?? null };
  return undefined;
}

/** Where only the money flow tells more. */
const plainMeanings: typeof meanings = [
  { words: /deposit/i, action: "vault_deposit", needs: "gives" },
  { words: /withdraw|redeem/i, action: "vault_withdraw", needs: "gets" },
  { words: /swap|exchange/i, action: "swap" },
  { words: /mint/i, action: "nft_mint" },
];

/** A guess for a person to check. */
export function guessAction(words: readonly string[], flow: BalanceChanges, movements: readonly Movement[]): string {
  const has = (side: Side) => flow[side].length > 0;
  const [gives, gets] = [has("gives"), has("gets")];
  const isNft = (asset: AssetChange) => asset.kind === "nft";
  if (flow.gets.some(isNft) && flow.minted) return "nft_mint";
  if ([...flow.gives, ...flow.gets].some(isNft)) return "nft_sale";
  for (const { words: pattern, action, needs, lacks } of meanings)
    if (words.some((word) => pattern.test(word)) && (!needs || has(needs)) && (!lacks || !has(lacks))) return action;
  if (gives && gets) {
    if (flow.minted && movesFor(movements, flow, "gets")) return "vault_deposit";
    return flow.burned && movesFor(movements, flow, "gives") ? "vault_withdraw" : "swap";
  }
  if (words.some((word) => /deposit/i.test(word)) && gives) return "stake";
  if (words.some((word) => /withdraw|redeem/i.test(word)) && gets) return "unstake";
  if (gets) return "claim";
  return gives ? "payment" : "contract_interaction";
}

export function actionsLike({ gives, gets }: BalanceChanges): readonly string[] {
  const nft = [...gives, ...gets].some((asset) => asset.kind === "nft") ? ["nft_mint", "nft_sale"] : [];
  if (gives.length > 0 && gets.length > 0) return [...nft, "swap", "vault_deposit", "vault_withdraw", "add_liquidity"];
  if (gives.length > 0)
    return [...nft, "stake", "lending_supply", "lending_repay", "add_liquidity", "bridge_out", "payment"];
  if (gets.length > 0)
    return [...nft, "claim", "unstake", "lending_withdraw", "lending_borrow", "remove_liquidity", "bridge_in"];
  return ["governance", "social_action", "attestation", "name_update", "contract_interaction"];
}

/** A share: minted for the account, or burned by it. */
function movesFor(movements: readonly Movement[], flow: BalanceChanges, side: Side): boolean {
  return flow[side].some(({ movements: own }) =>
    own.some((index) => {
      const move = movements[index];
      return move !== undefined && (side === "gets" ? move.from : move.to) === zeroAddress;
    }),
  );
}

/** Folder, role of the contract, sentence in base form. */
interface ActionDraft {
  family: string;
  role?: string;
  does?(gives: string, gets: string): string;
}

const drafts: Readonly<Record<string, ActionDraft>> = {
  swap: { family: "dex", role: "router", does: (gives, gets) => `swap ${gives} for ${gets} on {protocol}` },
  add_liquidity: { family: "dex", does: (gives) => `add ${gives} as liquidity on {protocol}` },
  remove_liquidity: { family: "dex", does: (_, gets) => `take ${gets} of liquidity out of {protocol}` },
  token_launch: { family: "launchpads" },
  payment: { family: "payments", does: (gives) => `pay ${gives} through {protocol}` },
  lending_supply: { family: "lending", does: (gives) => `supply ${gives} to {protocol}` },
  lending_withdraw: { family: "lending" },
  lending_borrow: { family: "lending", does: (_, gets) => `borrow ${gets} from {protocol}` },
  lending_repay: { family: "lending", does: (gives) => `repay ${gives} to {protocol}` },
  liquidation: { family: "lending" },
  vault_deposit: { family: "yield", role: "vault", does: (gives) => `deposit ${gives} into {protocol}` },
  vault_withdraw: { family: "yield", role: "vault", does: (_, gets) => `withdraw ${gets} from {protocol}` },
  stake: { family: "yield", does: (gives) => `stake ${gives} on {protocol}` },
  unstake: { family: "yield", does: (_, gets) => `unstake ${gets} from {protocol}` },
  claim: { family: "rewards", role: "distributor", does: (_, gets) => `claim ${gets} from {protocol}` },
  bridge_out: { family: "bridges", role: "bridge", does: (gives) => `bridge ${gives} with {protocol}` },
  nft_mint: {
    ...{ family: "nft", role: "minter" },
    does: (gives, gets) => `mint ${gets}${gives && ` for ${gives}`} on {protocol}`,
  },
  nft_sale: {
    ...{ family: "nft", role: "marketplace" },
    does: (gives, gets) => `give ${gives || "nothing"} for ${gets || "nothing"} on {protocol}`,
  },
  governance: { family: "governance" },
  attestation: { family: "attestations" },
  name_registration: { family: "names" },
  name_update: { family: "names" },
  social_action: { family: "social" },
};

/** The folder for actions of no family. */
export const unsorted = "new";

/** {@link unsorted} where there is none. */
export function folderFor(action: string): string {
  return drafts[action]?.family ?? unsorted;
}

/** Base form. `gives` and `gets`: placeholders; empty where nothing moved. */
export function sentenceFor(action: string, { gives, gets }: { gives: string; gets: string }): string {
  const what = gives || gets;
  return drafts[action]?.does?.(gives, gets) ?? (what ? `use {protocol} with ${what}` : "use {protocol}");
}

const roles: readonly [RegExp, string][] = [
  [/stake|lock/i, "staking"],
  [/claim|reward|harvest/i, "distributor"],
  [/bridge/i, "bridge"],
  [/vote|propos/i, "governor"],
  [/regist|renew/i, "registrar"],
  [/borrow|repay|supply|liquidat/i, "pool"],
  [/deposit|withdraw|redeem/i, "vault"],
];

/** Guesses by names of functions and events, else by the action. */
export function guessRole(words: readonly string[], { action, called }: { action: string; called: boolean }): string {
  const [, role] = roles.find(([pattern]) => words.some((word) => pattern.test(word))) ?? [];
  if (role !== undefined) return role;
  if (!called) return words.some((word) => /swap|sync/i.test(word)) ? "pool" : "module";
  return drafts[action]?.role ?? "entry";
}

/** `lending_pool` for `LendingPoolV2`; undefined when missing, unfit, or only a proxy. */
export function roleFromName(name: string | null | undefined): string | undefined {
  if (name === null || name === undefined || /proxy/i.test(name)) return undefined;
  const role = snakeCase(name)
    .replace(/^[0-9_]+/, "")
    .replace(/_(?:v_?\d+|upgradeable|implementation|impl|logic)(?=_|$)/g, "");
  return /^[a-z][a-z0-9_]{1,30}$/.test(role) ? role : undefined;
}

/** Numbered where another contract has it. Adds to `used`. */
export function unusedRole(role: string, used: Set<string>): string {
  let own = role;
  for (let number = 2; used.has(own); number++) own = `${role}_${number}`;
  used.add(own);
  return own;
}
