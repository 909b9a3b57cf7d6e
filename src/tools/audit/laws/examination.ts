import { type Address, checksum, isBurnAddress, zeroAddress } from "../../../kernel/address.ts";
import { readAuthorizations } from "../facts/authorizations.ts";
import type { Facts, Move } from "../facts/facts.ts";
import { gaveFor, isAdmitted, isWorth, keepersOf, reachedFrom, shareOfEach } from "../facts/flow.ts";
import { gainsOf } from "../facts/losses.ts";
import { isClaim, type Scene } from "../scene.ts";
import type { Violation } from "../violation.ts";

/** So much of a loss may be a fee. */
const feeParts = 100n;

/** Law 8: `ok` and `not_applicable` claim that everybody who got money or power was checked. */
export function auditExamination(scene: Scene): Violation[] {
  const { facts, telling } = scene;
  const { risk } = facts.file;
  if (risk === undefined) return [];
  const { contract_verification: code, drainer_blacklist: lists } = telling.answer.checks;
  const parties = strangersOf(scene);
  const unseen = isClaim(lists) ? unseenBehind(scene) : undefined;
  const asked = new Set<string>(risk.drainers.asked);
  const found: Violation[] = [];
  const say = (party: string, rest: string) => found.push({ law: 8, sentence: `${party} ${rest}.` });
  if (unseen !== undefined)
    say(`${checksum(unseen)} may have passed on ether unseen`, "and the drainer lists are told as asked");
  for (const { address, role, bySender } of parties) {
    const party = `The ${role} ${checksum(address)}`;
    const verification = risk.verification[address];
    if (isClaim(lists) && !asked.has(address))
      say(party, "was not looked for in the drainer lists, which is told as done");
    if (isClaim(code) && runsCode(address, facts) && verification === undefined)
      say(party, "runs code that was not examined, and the check of code is told as done");
    if (
      verification?.status === "absent" &&
      verification.code !== "none" &&
      !telling.flags("unverified_contract", address)
    )
      say(party, "has no published source, and no flag tells it");
    if (risk.drainers.hits.some((hit) => hit.address === address) && !telling.flags("known_drainer", address))
      say(party, "is on a list of drainers, and no flag tells it");
    if (bySender && isNewContact(address, scene))
      say(party, "is none that the sender dealt with before, and no flag tells it");
  }
  return found;
}

/** A stranger with code that was paid ether where ether inside calls is unknown. */
function unseenBehind({ facts, knowledge, principals }: Scene): Address | undefined {
  if (facts.etherKnown) return undefined;
  const paid = facts.moves.find(({ token, from, to }) => {
    if (token !== null || !principals.has(from) || principals.has(to) || isBurnAddress(to)) return false;
    return facts.file.risk?.verification[to]?.code === "contract" && !isAdmitted(to, facts, knowledge);
  });
  return paid?.to;
}

/** The sender's complete history lacks it, the check says `ok`, and no flag names it. */
function isNewContact(address: Address, { facts, telling }: Scene): boolean {
  const history = facts.file.risk?.history[facts.sender];
  if (telling.answer.checks.first_interaction !== "ok" || history?.status !== "found") return false;
  if (!history.complete || history.through_code) return false;
  const known = [...history.counterparties, ...history.unordered].includes(address);
  return !known && !telling.flags("first_time_counterparty", address);
}

interface Stranger {
  address: Address;
  role: string;
  /** Got ether, a listed token or a right from the sender; only then the sender's history matters. */
  bySender: boolean;
}

/** Unknown accounts that got money or power of a principal. */
function strangersOf(scene: Scene): Stranger[] {
  const { facts, knowledge, principals } = scene;
  const found = new Map<Address, Stranger>();
  const add = (address: Address | null | undefined, role: string, bySender = false): void => {
    if (address === null || address === undefined || found.has(address) || principals.has(address)) return;
    if (isBurnAddress(address) || knowledge.isOfChain(address)) return;
    if (!isAdmitted(address, facts, knowledge)) found.set(address, { address, role, bySender });
  };
  const isWorthy = isWorth(knowledge);
  for (const { spender, owner, token } of scene.rights)
    add(spender, "spender", owner === facts.sender && isWorthy({ token }));
  for (const { delegate } of readAuthorizations(facts.file)) if (delegate !== zeroAddress) add(delegate, "delegate");
  for (const { party } of scene.controls) add(party, "new controller");
  for (const target of delegatedTo(scene)) add(target, "code that ran for the account");
  for (const loss of scene.losses)
    for (const { account } of keepersOf(loss, facts, knowledge, feeParts))
      if (!gaveFor(account, loss.key, facts, isWorthy))
        add(account, "receiver", loss.account === facts.sender && isWorthy(loss));
  for (const receiver of proceedsTo(scene)) add(receiver, "receiver of the proceeds");
  if (facts.succeeded && !isOwnAccount(scene)) add(facts.called, "called contract");
  return [...found.values()];
}

/** They got the other side of an exchange in which the principal got nothing. */
function proceedsTo({ facts, losses, knowledge }: Scene): Address[] {
  const { byAsset } = facts;
  const lost = new Set(losses.map(({ key }) => key));
  const empty = losses.filter(({ account }) => gainsOf(account, facts).size === 0);
  const markets = new Set(empty.flatMap(({ account, key }) => [...reachedFrom(account, byAsset.get(key) ?? [])]));
  for (const { account } of empty) markets.delete(account);
  return [...byAsset].flatMap(([key, moves]) => {
    if (lost.has(key) || !isWorth(knowledge)(moves[0] as Move)) return [];
    const nets = shareOfEach(moves);
    const givers = moves.flatMap(({ from }) => (markets.has(from) ? [from] : []));
    return [...new Set(givers)].flatMap((giver) => {
      return [...reachedFrom(giver, moves)].filter((one) => (nets.get(one) as bigint) > 0n);
    });
  });
}

/** The called contract only gave its own, and the sender gave it nothing. */
function isOwnAccount({ facts, losses, rights, controls }: Scene): boolean {
  const { called, sender, moves } = facts;
  if (losses.some(({ account }) => account === sender) || rights.length > 0 || controls.length > 0) return false;
  return moves.some(({ from }) => from === called) && !moves.some(({ to }) => to === called);
}

/** Code run by DELEGATECALL of a principal's account, without calls that a proxy passes on. */
function delegatedTo({ facts, principals }: Scene): Address[] {
  return facts.steps.flatMap((step) => {
    const proxied = facts.steps[step.parent]?.input === step.input;
    return step.type === "DELEGATECALL" && principals.has(step.from) && !proxied ? [step.to] : [];
  });
}

/** Shown by the call tree or a log. */
function runsCode(address: Address, { steps, logs }: Facts): boolean {
  const ran = steps.some(({ to, from, type }) => from === address || (to === address && type === "DELEGATECALL"));
  return ran || logs.some((log) => log.address === address);
}
