import type { Address } from "../../kernel/address.ts";
import { canonicalJson, compareText } from "../../kernel/canonical.ts";
import { digestOf } from "../../kernel/hash.ts";
import type { Labels, NameLabel, PriceFeed, ProxyForm, TokenLabel } from "../../model/label.ts";
import { proxyKinds } from "../../model/risk-lookups.ts";
import { buildCalendar, type ChainFacts } from "./calendar.ts";

/** Facts without their places, in any order. */
export interface LabelFacts {
  tokens: readonly TokenLabel[];
  names: readonly NameLabel[];
  /** From rule files; `names` win. */
  extraNames: readonly NameLabel[];
  roles: readonly { role: string; addresses: readonly Address[] }[];
  schemes: readonly ChainScheme[];
  /** By the form of their accounts. */
  accounts: readonly { form: "base58"; chains: readonly string[] }[];
  decimals: readonly { address: Address; decimals: number }[];
  proxies: readonly ProxyForm[];
  feeds: readonly ({ token: Address } & PriceFeed)[];
  chain: ChainFacts;
  confusables: Labels["confusables"];
}

export interface ChainScheme {
  scheme: string;
  /** Has the ids that `names` lacks. */
  extends?: string;
  names: Readonly<Record<string, string>>;
}

/** The order of facts does not matter: of two for one key, the one whose JSON sorts first wins. */
export function buildLabels(facts: LabelFacts): Labels {
  const tokens = indexBy(facts.tokens, (token) => token.address);
  const names = new Map([
    ...indexBy(facts.extraNames, (name) => name.address),
    ...indexBy(facts.names, (name) => name.address),
  ]);
  const roles = indexBy(
    facts.roles.map(({ role, addresses }) => ({ role, addresses: [...addresses].sort() })),
    (entry) => entry.role,
  );
  const schemes = indexBy(facts.schemes, (scheme) => scheme.scheme);
  const chains = new Map([...schemes].map(([name, scheme]) => [name, namesOf(scheme, schemes)]));
  const decimals = new Map(
    [...indexBy(facts.decimals, (entry) => entry.address)].map(([key, entry]) => [key, entry.decimals]),
  );
  const proxies = indexBy(facts.proxies, ({ code, slot, asks }) => code ?? slot ?? asks ?? "");
  const forms = [...proxies].sort(([a, one], [b, other]) => rankOf(one) - rankOf(other) || compareText(a, b));
  const accounts = new Map(facts.accounts.flatMap(({ form, chains: on }) => on.map((chain) => [chain, form] as const)));
  const feeds = indexBy(facts.feeds, ({ token }) => token);
  const listed = [...tokens.values()].sort((a, b) => compareText(a.address, b.address));
  let digest: string | undefined;
  let shortForms: ReadonlyMap<string, Address | null> | undefined;
  return {
    // Computed only when it is asked for.
    get fingerprint() {
      const chainFacts = indexLists(facts.chain);
      digest ??= fingerprint({ tokens, names, roles, schemes, decimals, proxies, feeds, accounts, ...chainFacts });
      return digest;
    },
    token: (address) => tokens.get(address),
    name: (address) => names.get(address),
    decimals: (address) => decimals.get(address),
    tokens: () => listed,
    proxies: forms.map(([, form]) => form),
    confusables: facts.confusables,
    feed: (token) => feeds.get(token),
    system: (role) => roles.get(role)?.addresses ?? [],
    looksLabelled: (address) => {
      shortForms ??= shortFormsOf([...names.keys(), ...tokens.keys()] as Address[]);
      const known = shortForms.get(endsOf(address));
      return known !== undefined && known !== address;
    },
    accountForm: (chain) => accounts.get(chain),
    calendar: buildCalendar(facts.chain),
    chain: (scheme, id) => chains.get(scheme)?.get(id.toLowerCase()),
  };
}

/** The digits of a short form, whatever their case. */
const endsOf = (address: Address) => address.slice(0, 6) + address.slice(-4);

/** null: several. */
function shortFormsOf(addresses: readonly Address[]): ReadonlyMap<string, Address | null> {
  const forms = new Map<string, Address | null>();
  for (const address of new Set(addresses)) {
    const form = endsOf(address);
    forms.set(form, forms.has(form) ? null : address);
  }
  return forms;
}

function rankOf({ kind }: ProxyForm): number {
  return proxyKinds.indexOf(kind);
}

function namesOf(scheme: ChainScheme, schemes: ReadonlyMap<string, ChainScheme>): ReadonlyMap<string, string> {
  const base = scheme.extends === undefined ? undefined : schemes.get(scheme.extends);
  const pairs = [...Object.entries(base?.names ?? {}), ...Object.entries(scheme.names)];
  // Ids that are words (Axelar) are written by contracts in any letter case. No two chains differ by case alone.
  return new Map(pairs.map(([id, name]) => [id.toLowerCase(), name]));
}

function indexBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T> {
  const index = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const rival = index.get(key);
    if (rival === undefined || canonicalJson(item) < canonicalJson(rival)) index.set(key, item);
  }
  return index;
}

function indexLists(lists: object): Record<string, ReadonlyMap<string, unknown>> {
  const indexed = Object.entries(lists).map(([name, list]) => [`chain ${name}`, indexBy(list, canonicalJson)] as const);
  return Object.fromEntries(indexed);
}

function fingerprint(maps: Record<string, ReadonlyMap<string, unknown>>): string {
  const facts = Object.entries(maps).map(([name, map]) => [name, [...map].sort(([a], [b]) => compareText(a, b))]);
  return digestOf(canonicalJson(facts));
}
