import type { Address } from "../kernel/address.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { ActorCall } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";

/** What the flags and checks are made of. */
export interface SubjectAct {
  file: CaseFile;
  tx: Transaction;
  /** The account whose act it is. */
  subject: Address;
  calls: readonly ActorCall[];
  /** Addresses that the told actions name, e.g. the receiver on the other side of a bridge. */
  named: readonly Address[];
  /** Who got power over an account or contract of a principal: owners, modules, new code. */
  controllers: readonly Address[];
  labels: Labels;
  ruleset: Ruleset;
}
