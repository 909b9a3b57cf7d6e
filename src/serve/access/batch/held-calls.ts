import type { Client } from "../quota/client-address.ts";
import type { FreeCalls } from "../quota/free-calls.ts";
import type { Passes } from "../quota/pass.ts";

export interface HeldLine {
  via: "free" | "pass";
  charge(): void;
  giveBack(): Promise<unknown>;
}

/** As many as there are, free ones first. Rejects with ServiceError `ledger_unavailable`, nothing held. */
export async function holdLines(
  { freeCalls, passes }: { freeCalls: FreeCalls; passes: Passes },
  { client, passToken, lines }: { client: Client; passToken: string | undefined; lines: number },
): Promise<HeldLine[]> {
  const held: HeldLine[] = [];
  try {
    await fill(held, lines, async () => {
      const { call } = await freeCalls.take(client);
      return call && { via: "free", charge: call.charge, giveBack: call.giveBack };
    });
    if (passToken !== undefined) {
      await fill(held, lines, async () => {
        const use = await passes.use(passToken);
        return use.status === "valid" ? { via: "pass", charge: use.call.charge, giveBack: use.call.giveBack } : null;
      });
    }
    return held;
  } catch (cause) {
    await giveBackAll(held);
    throw cause;
  }
}

/** Until enough, or none left. */
async function fill(held: HeldLine[], lines: number, take: () => Promise<HeldLine | null>): Promise<void> {
  while (held.length < lines) {
    const count = Math.min(atOnce, lines - held.length);
    const round = await Promise.allSettled(Array.from({ length: count }, take));
    let isShort = false;
    let failure: PromiseRejectedResult | undefined;
    for (const one of round) {
      if (one.status === "rejected") failure = one;
      else if (one.value === null) isShort = true;
      else held.push(one.value);
    }
    if (failure !== undefined) throw failure.reason;
    if (isShort) return;
  }
}

/** Retries where the ledger does not answer. */
export async function giveBackAll(held: HeldLine[]): Promise<void> {
  for (const round of Array.from({ length: Math.ceil(held.length / atOnce) }, () => held.splice(0, atOnce)))
    await Promise.allSettled(round.map((one) => one.giveBack()));
}

/** A shared ledger is remote and has few connections. */
const atOnce = 8;
