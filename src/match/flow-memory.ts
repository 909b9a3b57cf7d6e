import type { Address } from "../kernel/address.ts";
import type { BalanceChanges } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";
import { paysElsewhere } from "../money/payees.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import type { CompiledRule, FlowCondition } from "../ruleset/compiled.ts";
import { flowMovements } from "./flow-fit.ts";

/** Net flows of one transaction's accounts, and what of them a rule claims: long where much moved, and asked by every candidate. */
export class FlowMemory {
  readonly #tx: Transaction;
  readonly #flows: Map<Address, BalanceChanges> = new Map();
  readonly #rests: Map<ReadonlySet<number>, Map<Address, BalanceChanges>> = new Map();
  readonly #paying: Map<BalanceChanges, boolean> = new Map();
  readonly #claims: Map<CompiledRule, Map<Address, FlowClaim>> = new Map();

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  of(account: Address): BalanceChanges {
    let flow = this.#flows.get(account);
    if (flow === undefined) {
      flow = balanceChanges(this.#tx, account);
      this.#flows.set(account, flow);
    }
    return flow;
  }

  /**
   * What is left for an account when others explain some movements. What could not be seen belongs to the action that came first:
   * a rest must be seen to be told.
   */
  rest(account: Address, explained: ReadonlySet<number>): BalanceChanges {
    let rests = this.#rests.get(explained);
    if (rests === undefined) {
      rests = new Map();
      this.#rests.set(explained, rests);
    }
    let rest = rests.get(account);
    if (rest === undefined) {
      rest = { ...balanceChanges(this.#tx, account, explained), complete: true };
      rests.set(account, rest);
    }
    return rest;
  }

  /** Whether what an account gave was paid for to somebody else; many rules ask about the same flow. */
  paysElsewhere(flow: BalanceChanges): boolean {
    let pays = this.#paying.get(flow);
    if (pays === undefined) {
      pays = paysElsewhere(this.#tx, flow);
      this.#paying.set(flow, pays);
    }
    return pays;
  }

  movements(rule: CompiledRule, flow: BalanceChanges): FlowClaim {
    if (rule.flow === null) return nothing;
    let claims = this.#claims.get(rule);
    if (claims === undefined) {
      claims = new Map();
      this.#claims.set(rule, claims);
    }
    let claim = claims.get(flow.account);
    if (claim === undefined) {
      claim = claimOf(rule.flow, flow);
      claims.set(flow.account, claim);
    }
    return claim;
  }
}

/** What a rule with this condition claims of a flow. */
export function claimOf(condition: FlowCondition, flow: BalanceChanges): FlowClaim {
  const { hard, soft } = flowMovements(condition, flow);
  return new FlowClaim(hard, soft);
}

/** Movements that a rule claims by its flow. */
export class FlowClaim {
  readonly #claimed: number[];
  readonly #set: ReadonlySet<number>;
  /** Movements that it takes along when nobody else claims them. */
  readonly takenAlong: readonly number[];

  constructor(claimed: readonly number[], takenAlong: readonly number[]) {
    this.#set = new Set(claimed);
    this.#claimed = inOrder(this.#set);
    this.takenAlong = takenAlong;
  }

  /** The claimed movements and others beside them, each once, in the order of the transaction. */
  claimWith(others: readonly number[]): number[] {
    if (others.length === 0 || others.every((movement) => this.#set.has(movement))) return this.#claimed;
    return inOrder(new Set([...this.#claimed, ...others]));
  }
}

function inOrder(movements: ReadonlySet<number>): number[] {
  return [...movements].sort((a, b) => a - b);
}

const nothing = new FlowClaim([], []);
