import { sleep } from "../world/progress.ts";
import type { Random } from "../world/random.ts";
import type { Stand } from "../world/world.ts";

/** The moments of a payment at which a replica can be killed, as the calls to the chain's endpoint show them. */
const moments: Readonly<Record<string, readonly [method: string, moment: "before" | "after"]>> = {
  "while verifying": ["eth_call", "before"],
  "after the work": ["eth_getTransactionByHash", "after"],
  "before the nonce is known": ["eth_getTransactionCount", "before"],
  "before sending": ["eth_sendRawTransaction", "before"],
  "after sending": ["eth_sendRawTransaction", "after"],
  "before the receipt": ["eth_getTransactionReceipt", "before"],
  "after the receipt": ["eth_getTransactionReceipt", "after"],
  "while a pass is looked up": ["eth_getLogs", "after"],
};

/** Ends a replica by SIGKILL, at chosen moments and at random ones, and starts it again. */
export class Killer {
  /** The moment of every kill. */
  readonly kills: string[];
  readonly #random: Random;
  readonly #armedMs: number;

  /** `armedMs`: how many milliseconds to wait for a chosen moment. Kills are added to the given list. */
  constructor({ random, kills, armedMs }: { random: Random; kills: string[]; armedMs: number }) {
    this.#random = random;
    this.#armedMs = armedMs;
    this.kills = kills;
  }

  /** One kill. Resolves when the replica serves again. */
  async strike(stand: Stand): Promise<void> {
    const random = this.#random;
    await sleep(random.below(700));
    const name = random.chance(0.25) ? undefined : random.pick(Object.keys(moments));
    const hit = name !== undefined && (await this.#killAt(stand, name));
    if (!hit) {
      await sleep(random.below(400));
      await stand.replica.kill();
    }
    this.kills.push(hit ? name : "at random");
    await sleep(random.below(300));
    await stand.replica.start();
  }

  /** Kills at the next moment of this name. Gives false when the moment did not come in time. */
  async #killAt({ endpoint, replica }: Stand, name: string): Promise<boolean> {
    const [method, moment] = moments[name]!;
    let hit = false;
    const killed = new Promise<void>((resolve) => {
      endpoint.watch = (call, at) => {
        if (call.method !== method || at !== moment || hit) return undefined;
        hit = true;
        void replica.kill().then(() => resolve());
        // The dead process gets no answer. If the moment is before the call, the node does not get the call either.
        return "cut";
      };
    });
    await Promise.race([killed, sleep(this.#armedMs)]);
    endpoint.watch = undefined;
    return hit;
  }
}
