import type { Address } from "../../../kernel/address.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import type { Knowledge } from "../knowledge.ts";
import type { EmittedLog, Facts } from "./facts.ts";
import type { Authority } from "./principals.ts";
import { type ControlEvent, controlEvents, events } from "./signatures.ts";

/**
 * A change of control: somebody else may now act for a principal's account or own a principal's contract, or may no longer, or the number
 * of needed signatures changed.
 */
export interface ControlChange {
  /** The account or contract that reports the change. */
  of: Address;
  what: string;
  /** The new or former controller; undefined where the event names none, or names a key or a number. */
  party: Address | undefined;
  /** The new number of signatures; undefined for other changes. */
  number: bigint | undefined;
}

/**
 * Changes of control that accounts of principals report about themselves, and contracts that a principal gave to another owner by a call of
 * its own. Reports of an account that is just being created are not changes.
 */
export function findControlChanges(
  facts: Facts,
  principals: ReadonlyMap<Address, Authority>,
  knowledge: Knowledge,
): ControlChange[] {
  return facts.logs.flatMap((log) => {
    const event = controlEvents.get(log.topics[0] ?? "");
    if (event === undefined) return [];
    const own = event.previousOwner ? isGivenAway(log, facts, principals) : principals.has(log.address);
    return own && !isBirth(log, facts, knowledge) ? [changeOf(log, event)] : [];
  });
}

function changeOf({ address, topics, data }: EmittedLog, { what, shows }: ControlEvent): ControlChange {
  const words = [...topics.slice(1), ...(data.slice(2).match(/.{64}/g) ?? []).map((word) => `0x${word}`)];
  const word = shows === null ? undefined : words[shows.argument];
  const party = shows?.kind === "address" && isAddressWord(word) ? addressOfWord(word) : undefined;
  const number = shows?.kind === "number" && word !== undefined ? BigInt(word) : undefined;
  return { of: address, what, party, number };
}

/** Whether a principal was the owner (EIP-173) and called the contract itself. Any contract may claim that he was its owner. */
function isGivenAway(
  { address, topics }: EmittedLog,
  { steps }: Facts,
  principals: ReadonlyMap<Address, Authority>,
): boolean {
  const word = topics[1];
  const owner = isAddressWord(word) ? addressOfWord(word) : undefined;
  if (owner === undefined || !principals.has(owner) || topics.length !== 3) return false;
  return steps.some((step) => step.from === owner && step.to === address && step.type === "CALL");
}

/**
 * Whether the emitter was created in this transaction and the log is part of that. An EntryPoint creates accounts first, and reports each
 * (`AccountDeployed`) when its factory is done.
 */
function isBirth({ address, index }: EmittedLog, { steps, logs }: Facts, knowledge: Knowledge): boolean {
  const byEntryPoint = logs.filter((log) => knowledge.isEntryPoint(log.address));
  const made = byEntryPoint.find(({ topics }) => {
    return topics[0] === events.accountDeployed && isAddressWord(topics[2]) && addressOfWord(topics[2]) === address;
  });
  if (made !== undefined) return index < made.index;
  const created = steps.some((step) => step.to === address && step.type.startsWith("CREATE"));
  const execution = byEntryPoint.find((log) => log.topics[0] === events.beforeExecution)?.index;
  return execution === undefined ? created : index < execution;
}
