import { runBulkKills } from "./bulk/bulk-kills.ts";
import { openBulkWorld } from "./bulk/bulk-world.ts";
import { runKills } from "./kill/kill.ts";
import { dropTransaction, emptyGasWallet, endpointOutages } from "./outages/chain.ts";
import { meetBadFacilitator } from "./outages/facilitator.ts";
import { holdSockets } from "./outages/half-open.ts";
import { loseLogReader } from "./outages/log-reader.ts";
import { postgresOutages } from "./outages/postgres.ts";
import { fillDisk, lockLedger } from "./outages/sqlite.ts";
import { raceLastCall } from "./races/last-call.ts";
import { raceManyCopies } from "./races/many-copies.ts";
import { raceResend } from "./races/resend.ts";
import { raceTwoLedgers } from "./races/two-ledgers.ts";
import { raceTwoWishes } from "./races/two-wishes.ts";
import { restartInTurn } from "./rolling/rolling.ts";
import { attackByConnections, attackByLargeCases, attackByPlaces } from "./shares/shares.ts";
import { soakShop } from "./soak/soak.ts";
import { createRandom } from "./world/random.ts";
import { type Report, skipped } from "./world/table.ts";
import { type LedgerKind, missing, missingPostgres, openWorld, type Part, type World } from "./world/world.ts";

/** What the command line says. */
export interface ScenarioOptions {
  seed: number;
  kills: number;
  payments: number;
  minutes?: number;
  /** Only this ledger, in the kill matrix. */
  ledger?: string;
  /** Only the parts whose name begins so. */
  only?: string;
}

/** Gives its reports one after the other. */
export type Scenario = (options: ScenarioOptions) => AsyncIterable<Report>;

const races: Readonly<Record<string, Part>> = {
  resend: raceResend,
  "many-copies": raceManyCopies,
  "two-wishes": raceTwoWishes,
  "last-call": raceLastCall,
  "two-ledgers": raceTwoLedgers,
};

const outages: Readonly<Record<string, Part>> = {
  ...postgresOutages,
  lock: lockLedger,
  disk: fillDisk,
  ...endpointOutages,
  dropped: dropTransaction,
  gas: emptyGasWallet,
  facilitator: meetBadFacilitator,
  log: loseLogReader,
  "half-open": holdSockets,
};

const attacks: Readonly<Record<string, Part>> = {
  large: attackByLargeCases,
  places: attackByPlaces,
  connections: attackByConnections,
};

/** Everything that `npm run chaos` can do. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  kill: killMatrix,
  races: (options) => runParts(races, options),
  outages: (options) => runParts(outages, options),
  soak: (options) => inWorld("soak", (world) => soakShop(world, readSoak(options))),
  shares: (options) => runParts(attacks, options),
  bulk: killBulk,
  rolling: (options) => runParts({ rolling: restartInTurn }, options),
};

/** PostgreSQL gets the larger share, because there two replicas share what they know. */
const shares: Readonly<Record<LedgerKind, number>> = { postgres: 0.6, sqlite: 0.4 };

async function* killMatrix({ ledger, kills, payments, seed, minutes = 20 }: ScenarioOptions): AsyncIterable<Report> {
  const kinds = (Object.keys(shares) as LedgerKind[]).filter((kind) => ledger === undefined || kind === ledger);
  for (const kind of kinds) {
    const share = kinds.length === 1 ? 1 : shares[kind];
    const size = { kills: Math.ceil(kills * share), payments: Math.ceil(payments * share), minutes: minutes * share };
    const how = { ledger: kind, seed, customers: 16, blockTimes: [0, 1, 2], tells: true };
    yield* inWorld(`kill -9, ${kind}`, (world) => runKills(world, { ...how, ...size }));
  }
}

const readSoak = ({ minutes = 30, seed }: ScenarioOptions) => ({ minutes, random: createRandom(seed) });

async function* killBulk({ kills, seed, minutes = 20 }: ScenarioOptions): AsyncIterable<Report> {
  if (missingPostgres !== undefined) return yield { title: "bulk", rows: [skipped("bulk", missingPostgres)] };
  const world = await openBulkWorld();
  try {
    yield await runBulkKills(world, { kills, seed, minutes, workers: 3, everyMs: 1_000 });
  } finally {
    await world.close();
  }
}

async function* runParts(
  parts: Readonly<Record<string, Part>>,
  { seed, only }: ScenarioOptions,
): AsyncIterable<Report> {
  for (const [name, part] of Object.entries(parts))
    if (only === undefined || name.startsWith(only)) yield* inWorld(name, (world) => part(world, createRandom(seed)));
}

/** Opens a world for one part and closes it afterwards. Where this machine lacks something, it gives the reason instead. */
async function* inWorld(
  title: string,
  work: (world: World) => Promise<Report> | AsyncIterable<Report>,
): AsyncIterable<Report> {
  const reason = missing ?? missingPostgres;
  if (reason !== undefined) return yield { title, rows: [skipped(title, reason)] };
  const world = await openWorld();
  try {
    const found = work(world);
    if (Symbol.asyncIterator in found) yield* found;
    else yield await found;
  } finally {
    await world.close();
  }
}
