import { type Address, checksum, zeroAddress } from "../../../kernel/address.ts";
import type { Holding } from "../facts/facts.ts";
import type { NetLoss } from "../facts/losses.ts";
import { gainsOf, sumOf } from "../facts/losses.ts";
import { holdingOf } from "../facts/moves.ts";
import type { Scene } from "../scene.ts";
import { assetText, type Violation } from "../violation.ts";

/** Law 2: where the sender lost something or granted a right, the summary names the sender, the loss or the right. */
export function auditHeadline(scene: Scene): Violation[] {
  const { facts, telling } = scene;
  const { sender } = facts;
  if (telling.names(sender)) return [];
  const lost = scene.losses.filter(({ account }) => account === sender).find((loss) => !isTold(loss, scene));
  const gave = scene.rights.find(({ owner, spender }) => owner === sender && !telling.tellsPower(spender));
  if (lost === undefined && gave === undefined) return [];
  const what =
    lost === undefined ? `a right over ${checksum(gave?.token as Address)}` : `${lost.net} units of ${assetText(lost)}`;
  const sentence = `The sender ${checksum(sender)} gave ${what}, and the summary tells neither of it nor of the sender.`;
  return [{ law: 2, sentence }];
}

/** Law 3: `assets_moved` has every loss of a principal exactly; the summary has its amount, or says that something is left out. */
export function auditLosses(scene: Scene): Violation[] {
  return scene.losses.flatMap((loss) => {
    const found: Violation[] = [];
    const { account, net } = loss;
    const whose = `${checksum(account)} lost ${net} units of ${assetText(loss)}`;
    if (!isListed(loss, scene))
      found.push({ law: 3, sentence: `${whose}, and assets_moved does not list it exactly.` });
    if (!isTold(loss, scene) && !isSaidToBeCut(loss, scene) && !isReceipt(loss, scene))
      found.push({ law: 3, sentence: `${whose}, and the summary does not tell it.` });
    else if (!isNamed(account, scene))
      found.push({ law: 3, sentence: `${whose} for nothing, and the summary does not tell whose it was.` });
    return found;
  });
}

/** Net or gross, as one number or a sum of several. */
export function isTold({ account, net, gross, ...holding }: NetLoss, scene: Scene): boolean {
  const { telling } = scene;
  if (holding.id !== null) return telling.tellsNft(holding);
  const amounts = telling.amounts(holding);
  if (amounts.includes(null) || hasAmount(amounts, net, gross)) return true;
  return isEther(holding, scene) && isEtherTold(account, scene);
}

/** Ether and wrapped ether together, under either name: sentences treat them as one asset. */
function isEtherTold(account: Address, scene: Scene): boolean {
  const { facts, telling, knowledge } = scene;
  const both = [null, ...knowledge.wrapped].map((token) => holdingOf(token, null));
  const keys = new Set(both.map(({ key }) => key));
  const own = scene.losses.filter((loss) => loss.account === account && keys.has(loss.key));
  const gained = [...gainsOf(account, facts)].filter(([key]) => keys.has(key));
  const net = gained.reduce(
    (sum, [, amount]) => sum - amount,
    own.reduce((sum, loss) => sum + loss.net, 0n),
  );
  const gross = own.reduce((sum, loss) => sum + loss.gross, 0n);
  return (
    net <= 0n ||
    hasAmount(
      both.flatMap((holding) => telling.amounts(holding)),
      net,
      gross,
    )
  );
}

function isEther({ token }: Holding, { knowledge }: Scene): boolean {
  return token === null || knowledge.wrapped.has(token);
}

function hasAmount(amounts: readonly (bigint | null)[], net: bigint, gross: bigint): boolean {
  const numbers = amounts.flatMap((amount) => amount ?? []);
  return sumsOf(numbers.slice(0, 40)).some((sum) => isNear(sum, net, gross));
}

/** The summary rounds to six digits, may leave out a fee of 1/100, and may include what others added. */
function isNear(amount: bigint, net: bigint, gross: bigint): boolean {
  return amount >= net - net / 100n - 1n && amount <= gross + gross / 100n + 1n;
}

/** Every number, and every sum of consecutive ones. */
function sumsOf(numbers: readonly bigint[]): bigint[] {
  return numbers.flatMap((_, from) => {
    let sum = 0n;
    return numbers.slice(from).map((number) => {
      sum += number;
      return sum;
    });
  });
}

/** The sum of outflows must be equal. Ether is not checked where its transfers are unknown. */
function isListed(loss: NetLoss, scene: Scene): boolean {
  const { facts, telling } = scene;
  if ((loss.token === null && !facts.etherKnown) || isCutFairly(loss, scene)) return true;
  const own = telling.moved(loss).filter(({ from }) => from.toLowerCase() === loss.account);
  return telling.sums(own, loss).some((sum) => sum === sumOf(loss.outflows));
}

/** A cut list with only principals' movements: strangers' tokens may be missing, nothing of worth. */
function isCutFairly({ token }: NetLoss, { telling, knowledge, principals }: Scene): boolean {
  if (token === null || knowledge.token(token) !== undefined || !telling.cutsList) return false;
  return telling.answer.assets_moved.every(({ from, to }) =>
    [from, to].some((party) => principals.has(party.toLowerCase() as Address)),
  );
}

/** A known asset must not be left out where the same account's unknown asset is stated. */
function isSaidToBeCut(loss: NetLoss, scene: Scene): boolean {
  const { facts, telling, knowledge } = scene;
  const { partial } = telling.answer;
  if (loss.token === null && !facts.etherKnown) return partial;
  const isKnown = ({ token }: NetLoss): boolean => token === null || knowledge.token(token) !== undefined;
  const junkFirst =
    isKnown(loss) &&
    scene.losses.some((other) => other.account === loss.account && !isKnown(other) && isTold(other, scene));
  if (junkFirst) return false;
  return telling.cutsAssets || isOfBundle(loss.account, scene);
}

/** A summary of a bundle for a genuine EntryPoint counts operations and does not state each account's act. */
function isOfBundle(account: Address, { facts, knowledge, principals, telling }: Scene): boolean {
  if (principals.get(account) !== "operation" || facts.called === null || !knowledge.isEntryPoint(facts.called))
    return false;
  const count = [...principals.values()].filter((authority) => authority === "operation").length;
  return count > 1 && /\b\d+ user operations\b/.test(telling.answer.summary);
}

/** A receipt, such as a vault share, given back for what it represents: the summary has what came for it. */
function isReceipt({ account, net, gross, ...holding }: NetLoss, { facts, knowledge, telling }: Scene): boolean {
  const { key, token } = holding;
  const gained = [...gainsOf(account, facts).keys()];
  if (gained.length === 0 || token === null) return false;
  // A part of it may be told under its own name.
  const named = sumOf(telling.amounts(holding).map((amount) => ({ amount: amount ?? 0n })));
  const open = named < net ? net - named : net;
  const burnt = sumOf(facts.moves.filter((move) => move.key === key && move.to === zeroAddress)) >= open - net / 100n;
  const known = knowledge.name(token)?.protocols.some((name) => telling.answer.summary.includes(name)) === true;
  const told = facts.moves.some((move) => gained.includes(move.key) && telling.amounts(move).length > 0);
  return (burnt || known) && (told || hasAmount(telling.numbers(holding), open, gross));
}

/** A principal that lost something and got nothing. The sender, bundles and cut summaries are not judged here. */
function isNamed(account: Address, scene: Scene): boolean {
  const { facts, telling } = scene;
  if (account === facts.sender || telling.names(account) || isOfBundle(account, scene)) return true;
  return gainsOf(account, facts).size > 0 || telling.cutsAssets;
}
