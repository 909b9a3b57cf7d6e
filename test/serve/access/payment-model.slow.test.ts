import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc, { type Scheduler } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../../src/serve/access/ledger/ledger.ts";
import { newDirectory } from "../../support/metered-server.ts";
import {
  type Fate,
  ModelChain,
  type Replica,
  requests,
  startReplica,
  validBefore,
} from "../../support/payment-world.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";

/** A folder in memory where there is one, because hundreds of ledgers are opened. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const wallets = ["0x01", "0x02"] as const;

interface Plan {
  product: "explain" | "pass";
  /** What happens in each call to settle, in order. After the last entry nothing is sent any more. */
  fates: Fate[];
  /** The steps at which the process dies. It is started again at once. */
  deaths: number[];
  /** Whether calls to the chain fail, and whether the facilitator says that the payment is valid. */
  outages: boolean[];
  verdicts: (boolean | "no answer")[];
  /** The replica that gets each request, and whether the request asks for something else with the same payment. */
  sends: { replica: 0 | 1; other: boolean }[];
  separate: boolean;
}

const fate: fc.Arbitrary<Fate> = fc.record({
  sent: fc.constantFrom("nothing", "dropped", "taken", "delayed", "replaced"),
  word: fc.constantFrom("true", "invented", "no", "silence"),
});

function plans(separate: boolean): fc.Arbitrary<Plan> {
  return fc.record({
    product: fc.constantFrom("explain", "pass"),
    fates: fc.array(fate, { minLength: 1, maxLength: 5 }),
    deaths: fc.array(fc.nat(40), { maxLength: 4 }),
    outages: fc.array(fc.boolean(), { maxLength: 12 }),
    verdicts: fc.array(fc.constantFrom(true, true, true, false, "no answer" as const), { maxLength: 4 }),
    sends: fc.array(fc.record({ replica: fc.constantFrom(0, 1), other: fc.boolean() }), { minLength: 1, maxLength: 6 }),
    separate: fc.constant(separate),
  }) as fc.Arbitrary<Plan>;
}

interface Told {
  replica: number;
  request: string;
  status: number;
  body: string;
  /** Whether the chain had taken the payment when the client got this answer. */
  taken: boolean;
  /** Whether the payment had left our hands when the request last asked the ledger or settled. */
  handedOver: boolean;
}

/** A world with one payment and two replicas, which die and come back. */
class World {
  readonly chain = new ModelChain();
  readonly told: Told[] = [];
  readonly #plan: Plan;
  readonly #scheduler: Scheduler;
  readonly #ledgers: readonly [Ledger, Ledger];
  readonly #deaths: number[];
  readonly #fates: Fate[];
  readonly #replicas: { replica: Replica; died: Promise<"died"> }[];
  readonly #others: Promise<void>[] = [];

  constructor(plan: Plan, scheduler: Scheduler, ledgers: readonly [Ledger, Ledger]) {
    this.#plan = plan;
    this.#scheduler = scheduler;
    this.#ledgers = ledgers;
    this.#deaths = [...plan.deaths];
    this.#fates = [...plan.fates];
    this.#replicas = [this.#start(0), this.#start(1)];
  }

  #start(index: 0 | 1) {
    const death = Promise.withResolvers<"died">();
    let steps = this.#deaths.shift() ?? Number.POSITIVE_INFINITY;
    const replica = startReplica({
      wallet: wallets[index],
      ledger: this.#ledgers[index],
      chain: this.chain,
      step: async (label) => {
        if (steps-- > 0) return void (await this.#scheduler.schedule(Promise.resolve(), `${index} ${label}`));
        if (steps === -1) this.#replicas[index] = this.#start(index);
        death.resolve("died");
        return new Promise(() => {});
      },
      later: (label, work) =>
        void this.#others.push(this.#scheduler.schedule(Promise.resolve(), label).then(() => work())),
      fates: () => this.#fates.shift() ?? { sent: "nothing", word: "silence" },
      isValid: () => this.chain.time < validBefore && (this.#plan.verdicts.shift() ?? true),
      chainFails: () => this.#plan.outages.shift() ?? false,
    });
    return { replica, died: death.promise };
  }

  /** Sends one request and notes the answer. A replica that dies gives no answer. */
  async send(index: 0 | 1, other: boolean): Promise<Told | undefined> {
    const { replica, died } = this.#replicas[index] as { replica: Replica; died: Promise<"died"> };
    // Two requests for a pass are the same request, so with a pass every request is "A".
    const request = other && this.#plan.product === "explain" ? "B" : "A";
    const seen = { handedOver: false };
    const sent = requests.run(seen, () => replica.send(this.#plan.product, request));
    const reply = await Promise.race([sent, died]);
    if (reply === "died") return undefined;
    const told = { replica: index, request, ...reply, ...seen, taken: this.chain.used !== null };
    this.told.push(told);
    return told;
  }

  async run(): Promise<void> {
    const all = async () => {
      await Promise.all(this.#plan.sends.map(({ replica, other }) => this.send(replica, other)));
      await Promise.all(this.#others);
    };
    await this.#scheduler.waitFor(all());
  }

  /** From now on the authorization is used or expired. Every client asks again until its answer is final. */
  async end(): Promise<Map<string, Told>> {
    this.chain.time = validBefore + 100;
    this.chain.block += 40;
    this.#deaths.length = 0;
    this.#plan.outages.length = 0;
    this.#plan.verdicts.length = 0;
    const last = new Map<string, Told>();
    const all = async () => {
      for (const index of [0, 1] as const) {
        this.#replicas[index] = this.#start(index);
        await this.#replicas[index]?.replica.reconcile();
        for (const other of [false, true]) {
          const told = await this.send(index, other);
          if (told !== undefined) last.set(`${told.replica} ${told.request}`, told);
        }
      }
    };
    await this.#scheduler.waitFor(all());
    return last;
  }
}

/** The answer that a request may get, and no other. */
function isAnswerOf({ request, body }: Told, product: Plan["product"]): boolean {
  return product === "pass" ? body.includes("svc_") : body === `about ${request}`;
}

async function check(plan: Plan, scheduler: Scheduler, ledgers: readonly [Ledger, Ledger]): Promise<void> {
  const world = new World(plan, scheduler, ledgers);
  await world.run();
  const last = await world.end();
  const { chain, told } = world;
  const rows = await Promise.all(ledgers.map(async (ledger) => (await ledger.listPayments(2))[0]));

  const given = told.filter(({ status }) => status === 200);
  for (const answer of given) {
    expect(answer.taken, "nothing is given for nothing").toBe(true);
    expect(isAnswerOf(answer, plan.product), "never another request's answer").toBe(true);
  }
  // A pass that is given again has another token after its id.
  const bought = new Set(given.map(({ request, body }) => `${request} ${body.replace(/_[0-9a-f]{64}/, "")}`));
  expect(bought.size, "one payment buys one thing").toBeLessThanOrEqual(1);
  if (plan.separate)
    expect(new Set(given.map(({ replica }) => replica)).size, "at one instance").toBeLessThanOrEqual(1);

  // The request that the row belongs to. It never gets 402 after the payment left our hands if the chain takes the payment.
  const sender = (wallets as readonly (string | undefined)[]).indexOf(chain.used?.sender);
  for (const [index, row] of rows.entries()) {
    if (row === undefined || (plan.separate && index !== sender)) continue;
    const request = plan.product === "pass" || row.fingerprint === fingerprintOfA ? "A" : "B";
    const ours = told.filter((one) => one.request === request && (!plan.separate || one.replica === index));
    for (const { status, handedOver } of ours) {
      if (status === 402 && handedOver) expect(chain.used, "no 402 for what the chain takes").toBeNull();
    }
    const end = last.get(`${index} ${request}`);
    expect(end?.status, "the end is told: delivered if paid, else refused").toBe(chain.used === null ? 402 : 200);
    expect(row.state).toBe(chain.used === null ? "failed" : "settled");
  }
}

/** SHA-256 of the product and the request, as the ledger stores it. */
const fingerprintOfA = createHash("sha256").update("explain\nA").digest("hex");

describe("a payment in every course of events", { timeout: 120_000 }, () => {
  it.each([
    ["one ledger", false, 1_000],
    ["a ledger each", true, 400],
  ] as const)("on two replicas with %s in SQLite", async (_name, separate, numRuns) => {
    const directory = newDirectory(memory);
    let ledgers = 0;
    const open = () => openLedger({ dataDir: join(directory, String(++ledgers)) });
    await fc.assert(
      fc.asyncProperty(plans(separate), fc.scheduler(), async (plan, scheduler) => {
        const one = await open();
        const two = separate ? await open() : one;
        try {
          await check(structuredClone(plan), scheduler, [one, two]);
        } finally {
          await one.close();
          if (two !== one) await two.close();
        }
      }),
      { numRuns },
    );
  });

  describe.skipIf(findPostgres() === undefined)("in PostgreSQL", () => {
    let postgres: TestPostgres;
    beforeAll(async () => {
      postgres = await startPostgres();
    }, 60_000);
    afterAll(() => postgres?.remove(), 60_000);

    it("on two replicas", async () => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(plans(false), fc.scheduler(), async (plan, scheduler) => {
          const databaseUrl = await postgres.createDatabase(`model_${++runs}`);
          const ledgers = [await openLedger({ databaseUrl }), await openLedger({ databaseUrl })] as const;
          try {
            await check(structuredClone(plan), scheduler, ledgers);
          } finally {
            for (const ledger of ledgers) await ledger.close();
          }
        }),
        { numRuns: 25, endOnFailure: true },
      );
    });
  });
});
