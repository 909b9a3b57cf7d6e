import { decide } from "../../../engine/spine.ts";
import { type Address, checksum } from "../../../kernel/address.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Decision } from "../../../model/decision.ts";
import { auditAnswer } from "../../audit/audit.ts";
import type { Knowledge } from "../../audit/knowledge.ts";
import { type Trial, type TrialWorld, tryCase } from "../trial.ts";

export interface ForgeryWorld extends TrialWorld {
  knowledge: Knowledge;
}

/** No forged example may break these: headline, losses, names, rights (docs/risk.md, "Audit"). */
const moneyLaws = { first: 2, last: 5 } as const;

/** Each part computed at first use. */
export class CaseOutcome {
  readonly caseFile: CaseFile;
  readonly #world: ForgeryWorld;
  #trial: Trial | undefined;
  #decision: Decision | undefined;

  constructor(caseFile: CaseFile, world: ForgeryWorld) {
    this.caseFile = caseFile;
    this.#world = world;
  }

  get trial(): Trial {
    this.#trial ??= tryCase(this.caseFile, this.#world);
    return this.#trial;
  }

  get decision(): Decision {
    this.#decision ??= decide(this.caseFile, this.#world.ruleset, this.#world.labels);
    return this.#decision;
  }

  get summary(): string {
    return this.decision.explanation.summary;
  }

  hasActionOf(account: Address): boolean {
    return this.trial.actions.some(({ context }) => context.subject === account);
  }

  /** Money and rights that the answer hides. */
  violations(): string[] {
    const { explanation } = this.decision;
    return auditAnswer(this.caseFile, explanation, this.#world.knowledge)
      .filter(({ law }) => law >= moneyLaws.first && law <= moneyLaws.last)
      .map(({ law, sentence }) => `law ${law}: ${sentence}`);
  }
}

/** A violation about these accounts, in the forged case only. */
export function newViolation(forged: CaseOutcome, before: CaseOutcome, accounts: readonly Address[]): string | null {
  const found = forged.violations().filter((text) => accounts.some((account) => text.includes(checksum(account))));
  if (found.length === 0) return null;
  const known = new Set(before.violations());
  return found.find((violation) => !known.has(violation)) ?? null;
}
