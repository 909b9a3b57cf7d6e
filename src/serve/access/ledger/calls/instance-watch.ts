import { type LedgerDatabase, statement } from "../database.ts";

export type InstanceWatch = ReturnType<typeof createInstanceWatch>;

/**
 * Without a clock: a living instance raises its number at every look; one that stays equal for several of our looks is dead. Failed looks
 * do not count.
 */
export function createInstanceWatch(database: LedgerDatabase, instance: string) {
  const seen = new Map<string, { beat: number; looks: number }>();

  async function look(): Promise<number> {
    await database.first(statement("beatInstance"), instance);
    const rows = await database.all(statement("listInstances"));
    const known = new Set(rows.map(({ id }) => String(id)));
    for (const id of seen.keys()) if (!known.has(id)) seen.delete(id);
    let calls = 0;
    for (const row of rows) {
      const [id, beat] = [String(row.id), Number(row.beat)];
      if (id === instance) continue;
      const before = seen.get(id);
      const looks = before?.beat === beat ? before.looks + 1 : 0;
      seen.set(id, { beat, looks });
      if (looks >= silentLooks) calls += await giveBack(id, beat);
    }
    return calls;
  }

  async function giveBack(id: string, beat: number): Promise<number> {
    seen.delete(id);
    return Number((await database.first(statement("giveBackDead"), id, beat))?.calls ?? 0);
  }

  return {
    /** Returns how many calls of dead instances were released. */
    look,
    /** If the database is silent, others do it later. */
    async leave(): Promise<void> {
      try {
        const own = (await database.all(statement("listInstances"))).find(({ id }) => id === instance);
        if (own !== undefined) await giveBack(instance, Number(own.beat));
      } catch {
        // Another instance's look finds them.
      }
    },
  };
}

/** Looks with the same number. */
const silentLooks = 5;
