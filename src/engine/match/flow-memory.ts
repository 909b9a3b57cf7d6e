import type { Address } from "../../kernel/address.ts";
import { distinct, type Members, membersOf } from "../../kernel/lists.ts";
import type { BalanceChanges, MatchContext } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import type { CompiledRule, FlowCondition } from "../../rules/ruleset/compiled.ts";
import { paysElsewhere } from "../money/payees.ts";
import { assetKeyOf } from "../money/trail.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { flowMovements } from "./flow-fit.ts";

/** Every candidate asks for these, and they are slow to compute. */
export class FlowMemory {
  readonly #tx: Transaction;
  // Made when first needed.
  #rests: { account: Address; explained: ReadonlySet<number>; rest: BalanceChanges }[] | undefined;
  #paying: Map<BalanceChanges, boolean> | undefined;
  #claims: Map<BalanceChanges, Map<CompiledRule, FlowClaim>> | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  of(account: Address): BalanceChanges {
    return balanceChanges(this.#tx, account);
  }

  /** What is left when other actions explain some movements. It counts as complete: unseen ether belongs to the first action. */
  rest(account: Address, explained: ReadonlySet<number>): BalanceChanges {
    this.#rests ??= [];
    const known = this.#rests.findLast((one) => one.explained === explained && one.account === account);
    if (known !== undefined) return known.rest;
    const rest = { ...balanceChanges(this.#tx, account, explained), complete: true };
    this.#rests.push({ account, explained, rest });
    return rest;
  }

  /** Somebody else got the price. Many rules ask about one flow. */
  paysElsewhere(flow: BalanceChanges): boolean {
    this.#paying ??= new Map();
    let pays = this.#paying.get(flow);
    if (pays === undefined) {
      pays = paysElsewhere(this.#tx, flow);
      this.#paying.set(flow, pays);
    }
    return pays;
  }

  /** On the whole flow, as {@link of} returns it. */
  movements(rule: CompiledRule, flow: BalanceChanges): FlowClaim {
    if (rule.flow === null) return nothing;
    this.#claims ??= new Map();
    let claims = this.#claims.get(flow);
    if (claims === undefined) {
      claims = new Map();
      this.#claims.set(flow, claims);
    }
    let claim = claims.get(rule);
    if (claim === undefined) {
      claim = claimOf(rule.flow, flow);
      claims.set(rule, claim);
    }
    return claim;
  }
}

export function claimOf(condition: FlowCondition, flow: BalanceChanges): FlowClaim {
  const { hard, soft } = flowMovements(condition, flow);
  return new FlowClaim(hard, soft);
}

/** Where a leg states the amount, the act claims only its legs' movements. The rest of the asset may belong to another act. */
export function exactClaim(claim: FlowClaim, { legs }: CompiledRule, context: MatchContext): FlowClaim {
  let loose: number[] | undefined;
  for (const [place, { amount }] of legs.entries()) {
    const move = amount === null ? null : context.legs[place];
    if (move === null || move === undefined || move.from !== context.subject) continue;
    const key = assetKeyOf(move);
    const asset = context.flow.gives.find((one) => one.key === key);
    if (asset === undefined || asset.movements.length < 2) continue;
    loose ??= [];
    for (const index of asset.movements) if (!context.legs.some((leg) => leg?.index === index)) loose.push(index);
  }
  return loose === undefined ? claim : claim.without(loose);
}

export class FlowClaim {
  readonly #claimed: number[];
  #members: Members<number> | undefined;
  /** If nobody else claims them. */
  readonly takenAlong: readonly number[];

  /** `claimed`: each once. */
  constructor(claimed: number[], takenAlong: readonly number[]) {
    this.#claimed = inOrder(claimed);
    this.takenAlong = takenAlong;
  }

  /** These are no longer claimed, only taken along. */
  without(loose: readonly number[]): FlowClaim {
    const left = this.#claimed.filter((index) => !loose.includes(index));
    return new FlowClaim(left, [...this.takenAlong, ...this.#claimed.filter((index) => loose.includes(index))]);
  }

  /** Each once, in order. */
  claimWith(others: readonly number[]): number[] {
    if (others.length === 0) return this.#claimed;
    this.#members ??= membersOf(this.#claimed);
    const members = this.#members;
    if (others.every((movement) => members.has(movement))) return this.#claimed;
    return inOrder(distinct([...this.#claimed, ...others]));
  }
}

function inOrder(movements: number[]): number[] {
  for (let i = 1; i < movements.length; i++)
    if ((movements[i - 1] as number) > (movements[i] as number)) return movements.toSorted((a, b) => a - b);
  return movements;
}

const nothing = new FlowClaim([], []);
