import type { Address } from "../../../kernel/address.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import type { Knowledge } from "../knowledge.ts";
import type { EmittedLog, Facts } from "./facts.ts";
import type { Authority } from "./principals.ts";
import { type ControlEvent, controlEvents, events } from "./signatures.ts";

/** A change of who may act for a principal's account or owns its contract, or of the number of needed signatures. */
export interface ControlChange {
  /** Reports the change. */
  of: Address;
  what: string;
  /** New or former controller; undefined where the event names none, or a key or a number. */
  party: Address | undefined;
  /** Of signatures; undefined for other changes. */
  number: bigint | undefined;
}

/**
 * Reported by accounts of principals about themselves, or contracts given away by a call of the principal. An account that is being created
 * changes nothing.
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

/** EIP-173: the principal was the owner and called the contract. Any contract may claim an owner. */
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
 * The emitter was created here and the log is part of that. An EntryPoint reports each account (`AccountDeployed`) when its factory is
 * done.
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
