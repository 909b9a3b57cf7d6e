import { zeroAddress } from "../../kernel/address.ts";
import { decimalText, parseDecimal, sizeOf } from "../../kernel/amount.ts";
import type { AssetMoved, Explanation } from "../../model/explanation.ts";
import type { GrantFacts, PictureFacts } from "../../model/told/picture-facts.ts";
import { nameText, visibleText } from "./text.ts";

/** Mined, or not yet signed. */
export interface Pictured {
  explanation: Pick<Explanation, "summary" | "assets_moved" | "counterparties" | "partial" | "provenance">;
  facts: PictureFacts;
  /** Has not happened, so it is dashed. */
  planned?: boolean;
}

export interface Cast {
  subject: string;
  /** By EIP-55 address, as they appear. */
  accounts: ReadonlyMap<string, CastAccount>;
  tokens: ReadonlyMap<string, CastToken>;
  legs: readonly CastLeg[];
}

export interface CastAccount {
  address: string;
  label: string | null;
  /** By token, units of its `scale`; none without change. */
  net: Map<string, bigint>;
}

export interface CastToken {
  key: string;
  /** Short, quoted if anybody chose it, isolated in other scripts. */
  name: string;
  /** Decimal places that the amounts need. */
  scale: number;
  nft: boolean;
  /** Decimals unknown: base units. */
  raw: boolean;
}

/** Of `assets_moved`. */
export interface CastLeg {
  /** From 1. */
  number: number;
  from: string;
  to: string;
  /** Ether, a token, or a collection. */
  token: string;
  /** Of the token's `scale`. */
  units: bigint;
  fee: boolean;
  asset: AssetMoved;
}

/** Beside its amount, em. */
const tokenNameMax = 9;

export function castOf({ explanation, facts }: Pictured): Cast {
  const tokens = tokensOf({ explanation, facts });
  const legs = explanation.assets_moved.map((asset, i): CastLeg => {
    const token = tokens.get(keyOf(asset)) as CastToken;
    const units = parseDecimal(asset.amount, token.scale) ?? 0n;
    const { from, to } = asset;
    return { number: i + 1, from, to, token: token.key, units, fee: facts.legs[i]?.fee ?? false, asset };
  });
  return { subject: facts.subject, accounts: accountsOf({ explanation, facts }, legs), tokens, legs };
}

function keyOf({ token_address, token_id }: AssetMoved): string {
  return `${token_address ?? "native"}${token_id === undefined ? "" : " nft"}`;
}

function tokensOf({ explanation: { assets_moved, provenance }, facts }: Pictured): Map<string, CastToken> {
  const untrusted = new Set(provenance.untrusted_fields);
  const tokens = new Map<string, CastToken>();
  for (const [i, asset] of assets_moved.entries()) {
    const key = keyOf(asset);
    const places = asset.amount.split(".")[1]?.length ?? 0;
    const token = tokens.get(key) ?? {
      ...{ key, name: nameText(asset.token, untrusted.has(`assets_moved[${i}].token`), tokenNameMax), scale: 0 },
      ...{ nft: asset.token_id !== undefined, raw: facts.legs[i]?.raw ?? false },
    };
    tokens.set(key, { ...token, scale: Math.max(token.scale, places) });
  }
  return tokens;
}

function accountsOf({ explanation, facts }: Pictured, legs: readonly CastLeg[]): Map<string, CastAccount> {
  const named = new Map(explanation.counterparties.map(({ address, label }) => [address, label]));
  const accounts = new Map<string, CastAccount>();
  const account = (address: string): CastAccount => {
    let found = accounts.get(address);
    if (found === undefined) {
      const label = named.get(address) ?? facts.labels[address] ?? null;
      found = { address, label: label === null ? null : visibleText(label) || null, net: new Map() };
      accounts.set(address, found);
    }
    return found;
  };
  for (const { from, to, token, units } of legs) {
    add(account(from).net, token, -units);
    add(account(to).net, token, units);
  }
  for (const { owner, spender } of facts.grants) {
    account(owner);
    account(spender);
  }
  for (const { from, to } of facts.failures) {
    account(from);
    if (to !== null) account(to);
  }
  if (accounts.size === 0) {
    account(facts.subject);
    if (facts.target !== null) account(facts.target);
  }
  return accounts;
}

function add(net: Map<string, bigint>, token: string, units: bigint): void {
  const sum = (net.get(token) ?? 0n) + units;
  if (sum === 0n) net.delete(token);
  else net.set(token, sum);
}

export function sumNets(accounts: Iterable<CastAccount>): Map<string, bigint> {
  const sum = new Map<string, bigint>();
  for (const { net } of accounts) for (const [token, units] of net) add(sum, token, units);
  return sum;
}

/** Without sign. */
export function amountText(units: bigint, scale: number): string {
  return decimalText(sizeOf(units), scale);
}

/** Assets are minted from it and burned to it. */
export function isZero(address: string): boolean {
  return address === zeroAddress;
}

export function grantTokenName({ token, untrusted }: GrantFacts): string {
  return nameText(token, untrusted, tokenNameMax);
}
