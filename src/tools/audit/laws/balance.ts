import { type Address, checksum } from "../../../kernel/address.ts";
import type { Facts, Holding, Move } from "../facts/facts.ts";
import { sumOf } from "../facts/losses.ts";
import { holdingOf } from "../facts/moves.ts";
import type { Scene } from "../scene.ts";
import { assetText, type Violation } from "../violation.ts";
import { isTold } from "./losses.ts";

/**
 * Law 10: the books balance. `assets_moved` lists what a principal got of known assets exactly, with nothing dropped or doubled, and the
 * summary does not state more of an asset than moved: a posting is stated once.
 */
export function auditBalance(scene: Scene): Violation[] {
  if (!scene.facts.succeeded) return [];
  return [...auditGains(scene), ...auditSums(scene)];
}

function auditGains(scene: Scene): Violation[] {
  const { facts, telling, principals, knowledge } = scene;
  if (telling.cutsList) return [];
  const isKnown = ({ token, id }: StatementLine) =>
    id === null && (token === null ? facts.etherKnown : knowledge.token(token) !== undefined);
  return [...principals.keys()].flatMap((account) =>
    statementOf(account, facts).flatMap((line) => {
      if (!isKnown(line) || line.got <= line.gave) return [];
      const listed = telling.moved(line).filter(({ to }) => to.toLowerCase() === account);
      if (telling.sums(listed, line).includes(line.got)) return [];
      const sentence = `${checksum(account)} got ${line.got} units of ${assetText(line)}, and assets_moved does not list it exactly.`;
      return [{ law: 10 as const, sentence }];
    }),
  );
}

/** The summary may round to six digits. */
const slack = 1_000n;

/** Each principal may be told its own side of a move. */
function sidesOf(moves: readonly Move[], principals: Scene["principals"]): bigint {
  const sides = moves.reduce((sum, { from, to, amount }) => {
    return sum + (principals.has(from) ? amount : 0n) + (principals.has(to) ? amount : 0n);
  }, 0n);
  const moved = sumOf(moves);
  return sides > moved ? sides : moved;
}

function auditSums({ facts, telling, knowledge, principals }: Scene): Violation[] {
  if (!facts.etherKnown) return [];
  const wrapped = [null, ...knowledge.wrapped].map((token) => holdingOf(token, null));
  const ether = new Set(wrapped.map(({ key }) => key));
  const found: Violation[] = [];
  for (const [key, moves] of facts.byAsset) {
    const [first] = moves;
    if (first === undefined || first.id !== null || (ether.has(key) && first.token !== null)) continue;
    // Without a listed token's decimals a number has several readings.
    if (first.token !== null && knowledge.token(first.token) === undefined) continue;
    const all: readonly Holding[] = ether.has(key) ? wrapped : [first];
    const moved = sidesOf(
      all.flatMap((one) => facts.byAsset.get(one.key) ?? []),
      principals,
    );
    const stated = all.flatMap((one) => telling.stated(one));
    const sum = stated.reduce((total, amount) => total + amount, 0n);
    if (stated.length > 1 && sum > moved + moved / slack)
      found.push({
        law: 10,
        sentence: `The summary states ${sum} units of ${assetText(first)}, and only ${moved} moved: something is stated twice.`,
      });
  }
  return found;
}

/** The statement of every principal beside what the summary says of it, a line for each asset. Ether is left out where not all is known. */
export function tellStatement(scene: Scene): string[] {
  const { facts, principals, losses } = scene;
  return [...principals.keys()].flatMap((account) =>
    statementOf(account, facts).flatMap((line) => {
      if (line.token === null && !facts.etherKnown) return [];
      const loss = losses.find((one) => one.account === account && one.key === line.key);
      const change = line.got - line.gave;
      const told = loss === undefined ? scene.telling.amounts(line).length > 0 : isTold(loss, scene);
      return `${checksum(account)} ${change > 0n ? "+" : ""}${change} units of ${assetText(line)}: ${told ? "stated" : "not stated"}`;
    }),
  );
}

/** What an account gave and got of one asset, from the moves alone. Base units. */
interface StatementLine extends Holding {
  account: Address;
  gave: bigint;
  got: bigint;
}

/** The statement of an account: one line for each asset of which it has more or less in the end, in the order of the first move. */
function statementOf(account: Address, { moves }: Facts): StatementLine[] {
  const own = moves.filter(({ from, to }) => from === account || to === account);
  return [...Map.groupBy(own, ({ key }) => key).values()].flatMap((list) => {
    const [{ key, token, id }] = list as [Move];
    const gave = sumOf(list.filter(({ from }) => from === account));
    const got = sumOf(list.filter(({ to }) => to === account));
    return gave === got ? [] : [{ key, token, id, account, gave, got }];
  });
}
