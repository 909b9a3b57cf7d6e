import { type Address, checksum } from "../../../kernel/address.ts";
import type { CallStep } from "../facts/facts.ts";
import { gaveFor, isAdmitted, isWorth, keepersOf } from "../facts/flow.ts";
import type { NetLoss } from "../facts/losses.ts";
import type { Scene } from "../scene.ts";
import { assetText, type Violation } from "../violation.ts";

/** Something came back for what was given. Other types say so only with a protocol's name. */
const exchanges: ReadonlySet<string> = new Set([
  "add_liquidity",
  "claim",
  "lending_supply",
  "nft_sale",
  "stake",
  "swap",
  "vault_deposit",
]);

/** So much of a loss may be a fee. */
const feeParts = 10n;

/**
 * Law 4: with a protocol or an exchange in the sentence, what a principal gave must have reached the protocol, whoever the protocol sent it
 * to, or somebody who gave something for it. A stranger who kept more than a fee must be named by address.
 */
export function auditNames(scene: Scene): Violation[] {
  const { telling, losses, knowledge } = scene;
  const named = namedProtocols(scene);
  if (!exchanges.has(telling.answer.action_type) && named.size === 0) return [];
  return losses.flatMap((loss) => {
    const { token, id } = loss;
    // A stranger's token is judged only where nothing else was lost. Otherwise it is dust beside what the sentence is about.
    const counts = token === null || knowledge.token(token) !== undefined || losses.length === 1;
    return id === null && counts && !telling.isOpen(loss) ? auditLoss(loss, named, scene) : [];
  });
}

function auditLoss(loss: NetLoss, named: ReadonlySet<string>, scene: Scene): Violation[] {
  const { facts, knowledge, telling, principals } = scene;
  const keepers = keepersOf(loss, facts, knowledge, feeParts);
  const reached = keepersOf(loss, facts, knowledge, loss.net + 1n);
  const admitted = new Set(reached.flatMap(({ account }) => (isAdmitted(account, facts, knowledge) ? [account] : [])));
  const strangers = keepers.filter(({ account }) => {
    if (principals.has(account) || telling.names(account) || admitted.has(account)) return false;
    if (!gaveFor(account, loss.key, facts, () => true)) {
      // In a swap, the market must give something. In other acts, the protocol may choose who keeps it.
      if (telling.answer.action_type === "swap" || !isMaybeDelivered(named, account, loss, scene)) return true;
      return !facts.traced && admitted.size > 0;
    }
    const isPrice = named.size === 0 || gaveFor(account, loss.key, facts, isWorth(knowledge));
    return !isPrice && !isMaybeDelivered(named, account, loss, scene);
  });
  return strangers.map(({ account, kept }) => {
    const what = `${kept} units of ${assetText(loss)} that ${checksum(loss.account)} gave`;
    return { law: 4, sentence: `${what} ended with ${checksum(account)}, whom the summary does not tell.` };
  });
}

function namedProtocols({ telling, knowledge }: Scene): Set<string> {
  const { summary } = telling.answer;
  const found = knowledge.protocols.filter((name) => {
    const at = summary.indexOf(` ${name}`);
    return at >= 0 && !/^\w/.test(summary.slice(at + 1 + name.length));
  });
  return new Set(found);
}

/** A named protocol's contract sent the asset in a call inside its own. Without a call tree, possible wherever a protocol is named. */
function isMaybeDelivered(named: ReadonlySet<string>, account: Address, { token }: NetLoss, scene: Scene): boolean {
  const { facts, knowledge } = scene;
  const isNamed = (address: Address): boolean =>
    knowledge.name(address)?.protocols.some((one) => named.has(one)) === true;
  if (!facts.traced) return named.size > 0;
  const deliveries = facts.steps.filter((step) =>
    token === null
      ? step.to === account && step.value > 0n
      : step.to === token && step.input.includes(account.slice(2)),
  );
  return deliveries.some((step) => outerCalls(step, facts.steps).some(({ to }) => to !== token && isNamed(to)));
}

/** The nearest first. */
function outerCalls(step: CallStep, steps: readonly CallStep[]): CallStep[] {
  const found: CallStep[] = [];
  for (let outer = steps[step.parent]; outer !== undefined; outer = steps[outer.parent]) found.push(outer);
  return found;
}
