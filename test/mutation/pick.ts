import { type Change, changedLine } from "./change.ts";

/** A change that no test can notice, named by its file and its line before and after. */
export interface Equivalent {
  file: string;
  from: string;
  to: string;
  reason: string;
}

/**
 * Draws changes by a seed. Each room of src (the folder below src) gets a share by the number of its changes, at least one. In a room every
 * kind of change comes equally often, and no line comes twice. The list goes on as long as there are changes, so that the next one can
 * replace one that does not compile.
 */
export function* drawChanges(all: readonly Change[], count: number, seed: number): Generator<Change> {
  const random = randomBy(seed);
  const rooms = Map.groupBy(shuffle([...all], random), ({ path }) => roomOf(path));
  const shares = [...rooms].map(([room, changes]) => ({
    room,
    share: Math.max(1, (count * changes.length) / all.length),
  }));
  const drawn = new Map([...rooms].map(([room, changes]) => [room, drawFrom(changes, random)]));
  const given = new Map<string, number>();
  while (drawn.size > 0) {
    const open = shares.filter(({ room }) => drawn.has(room));
    const behind = open.reduce((a, b) => (due(b, given) < due(a, given) ? b : a));
    const next = drawn.get(behind.room)?.next();
    if (next === undefined || next.done) drawn.delete(behind.room);
    else {
      given.set(behind.room, (given.get(behind.room) ?? 0) + 1);
      yield next.value;
    }
  }
}

/** Changes that are not named as equivalent. */
export function withoutEquivalent(
  changes: readonly Change[],
  texts: ReadonlyMap<string, string>,
  equivalents: readonly Equivalent[],
): Change[] {
  const named = new Set(equivalents.map(({ file, from, to }) => JSON.stringify([file, from, to])));
  return changes.filter((change) => {
    const { from, to } = changedLine(texts.get(change.path) as string, change);
    return !named.has(JSON.stringify([change.path, from, to]));
  });
}

/** The folder below src in which a file lies, or the file itself. */
export function roomOf(path: string): string {
  return path.split("/")[1] ?? path;
}

/** The time of a room's next turn: rooms with large shares have more turns. */
function due({ room, share }: { room: string; share: number }, given: ReadonlyMap<string, number>): number {
  return ((given.get(room) ?? 0) + 0.5) / share;
}

function* drawFrom(changes: readonly Change[], random: () => number): Generator<Change> {
  const kinds = [...Map.groupBy(changes, ({ kind }) => kind)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, list]) => list);
  const lines = new Set<string>();
  for (let open = kinds; open.length > 0; open = kinds.filter((list) => list.length > 0)) {
    const change = open[Math.floor(random() * open.length)]?.pop() as Change;
    const line = `${change.path}:${change.line}`;
    if (lines.has(line)) continue;
    lines.add(line);
    yield change;
  }
}

function shuffle<T>(list: T[], random: () => number): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
  return list;
}

/** The generator mulberry32 by Tommy Ettinger: numbers from 0 to 1, the same for the same seed. */
function randomBy(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
