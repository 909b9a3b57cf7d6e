import type { Address } from "../../../kernel/address.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import type { Knowledge } from "../knowledge.ts";
import { readAuthorizations } from "./authorizations.ts";
import type { CallStep, Facts } from "./facts.ts";
import { events, safeExecutions, selectors } from "./signatures.ts";

/** `allowance`: its tokens were moved through an allowance, and it did nothing itself. */
export type Authority = "sender" | "delegation" | "operation" | "safe" | "permit" | "allowance";

/** Accounts whose authority was used, the sender first. Only genuine contracts prove it; in doubt an account is left out. */
export function findPrincipals(facts: Facts, knowledge: Knowledge): Map<Address, Authority> {
  const found = new Map<Address, Authority>([[facts.sender, "sender"]]);
  const add = (authority: Authority, accounts: Iterable<Address>): void => {
    for (const account of accounts) if (!found.has(account)) found.set(account, authority);
  };
  add(
    "delegation",
    readAuthorizations(facts.file).flatMap(({ authority }) => authority ?? []),
  );
  add("operation", operatedAccounts(facts, knowledge));
  add("safe", provenSafes(facts, knowledge));
  add("permit", signersOfPermits(facts, knowledge));
  add("allowance", passiveOwners(facts, knowledge));
  return found;
}

/** Accounts for which a genuine EntryPoint executed. */
export function operatedAccounts({ logs }: Facts, knowledge: Knowledge): Address[] {
  return logs.flatMap(({ address, topics }) => {
    const account = topics[2];
    const genuine = topics[0] === events.userOperation && knowledge.isEntryPoint(address);
    return genuine && isAddressWord(account) ? [addressOfWord(account)] : [];
  });
}

/** A genuine Safe implementation executed, or the reads show a Safe that wrote a log. */
function provenSafes({ file, steps, logs }: Facts, knowledge: Knowledge): Address[] {
  const called = steps.flatMap((step) => {
    const outer = steps[step.parent];
    const forwards = step.type === "DELEGATECALL" && step.input === outer?.input && safeExecutions.has(step.selector);
    return forwards && knowledge.isSafe(step.to) ? [step.from] : [];
  });
  const read = Object.entries(file.risk?.verification ?? {}).flatMap(([address, { via, logic }]) =>
    via.includes("safe") && logic.some(knowledge.isSafe) ? [address as Address] : [],
  );
  const emitters = new Set(logs.map(({ address }) => address));
  return [...called, ...read.filter((address) => emitters.has(address))];
}

/** Owners of listed tokens moved by permits or signed transfers, and of what Permit2 recorded or moved. */
function signersOfPermits({ logs, moves, steps }: Facts, knowledge: Knowledge): Address[] {
  const senders = new Set(moves.map(({ token, from }) => `${token}${from}`));
  const signed = logs.flatMap(({ address, topics }) => {
    const word = topics[1];
    if (!isAddressWord(word)) return [];
    const owner = addressOfWord(word);
    if (topics[0] === events.permit2Permit && knowledge.isPermit2(address)) return [owner];
    const used = topics[0] === events.authorizationUsed && knowledge.token(address) !== undefined;
    return used && senders.has(`${address}${owner}`) ? [owner] : [];
  });
  const called = steps.flatMap((step) => {
    if (knowledge.token(step.to) === undefined || step.type !== "CALL") return [];
    const moved = step.selector === selectors.transferFrom && knowledge.isPermit2(step.from);
    const owner = firstArgument(step);
    return (moved || step.selector === selectors.permit) && owner !== undefined ? [owner] : [];
  });
  return [...signed, ...called];
}

/** Others moved their listed tokens by `transferFrom`. Accounts with calls of their own and known contracts are left out. */
function passiveOwners({ steps, traced }: Facts, knowledge: Knowledge): Address[] {
  if (!traced) return [];
  const acted = new Set(steps.map(({ from }) => from));
  return steps.flatMap((step) => {
    const taken = step.selector === selectors.transferFrom && step.type === "CALL";
    const owner = taken && knowledge.token(step.to) !== undefined ? firstArgument(step) : undefined;
    return owner === undefined || acted.has(owner) || knowledge.name(owner) !== undefined ? [] : [owner];
  });
}

function firstArgument({ input }: CallStep): Address | undefined {
  const word = `0x${input.slice(10, 74)}`;
  return isAddressWord(word) ? addressOfWord(word) : undefined;
}
