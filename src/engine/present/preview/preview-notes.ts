import { type Address, toAddress } from "../../../kernel/address.ts";
import { readHex } from "../../../kernel/hex.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { ProxyKind } from "../../../model/risk-lookups.ts";
import type { PreviewNote } from "../../../model/told/preview.ts";
import type { Transaction } from "../../../model/transaction.ts";
import type { Ruleset } from "../../../rules/ruleset/ruleset.ts";
import { type Statement, state } from "../../../rules/ruleset/wording/phrases.ts";
import type { Assessment } from "../../assess/assess.ts";
import type { Examined } from "../../assess/examined/examine.ts";
import { nameRole, type Role } from "../../assess/examined/role.ts";
import { GateKeeper } from "../../unwrap/gates.ts";
import type { Teller } from "../teller/teller.ts";

/** The most important first; the limits of a preview always come last. */
export function tellNotes(
  { file, tx, examined, ruleset }: Noted & { examined: Assessment["examined"] },
  teller: Teller,
): PreviewNote[] {
  const { simulation } = file;
  if (simulation === undefined) return [];
  const note = (code: PreviewNote["code"], statement: Statement) => ({ code, detail: teller.tell(statement) });
  const { refusal, differs, priced, unavailable, method } = simulation;
  const notes: PreviewNote[] = [];
  if (refusal !== null)
    notes.push(note("rejected", state("preview.refused", { reason: state(`refusal.${refusal}`, {}) })));
  if (differs === true) notes.push(note("simulations_differ", state("preview.note_differs", {})));
  if (method !== "none" && tx.status === "reverted")
    notes.push(note("simulation_reverted", state("preview.note_reverted", {})));
  if (method !== "none" && !priced) notes.push(note("unpriced", state("preview.note_unpriced", {})));
  for (const one of withoutCode(examined, file))
    notes.push(note("no_code", state("preview.note_no_code", partyOf(one))));
  for (const one of upgradeable(examined, file))
    notes.push(note("upgradeable", state("preview.note_upgradeable", partyOf(one))));
  for (const { token, says } of tokenNotes({ file, tx, ruleset }))
    notes.push(note("token_terms", state("preview.note_token", { token: nameRole("token", token), says })));
  for (const { method: wanted, reason } of unavailable)
    notes.push(
      note(
        reason === "missing" ? "method_missing" : "method_failed",
        state(reason === "missing" ? "preview.note_missing" : "preview.note_failed", { method: wanted }),
      ),
    );
  const last = method === "none" ? state("preview.unsimulated", {}) : state("preview.note_can_change", {});
  return [...notes, note(method === "none" ? "not_simulated" : "can_change", last)];
}

interface Noted {
  file: CaseFile;
  tx: Transaction;
  ruleset: Pick<Ruleset, "notes">;
}

/** What issuers can do, or do now, by the tokens' own answers. */
function tokenNotes({ file, tx, ruleset }: Noted): { token: Address; says: string }[] {
  const gates = new GateKeeper({ logs: tx.logs, movements: [] }, file);
  const found = file.reads.flatMap(({ status, to, data, result }) => {
    const token = toAddress(to);
    const note = ruleset.notes.find((one) => one.data === data && gates.admits(one.gate, token, token));
    const answer = status === "found" ? readHex(result) : undefined;
    const holds = note !== undefined && answer?.length === 66 && BigInt(answer) !== note.unless;
    return holds ? [{ token, says: note.says }] : [];
  });
  return found.slice(0, notesOfKindMax);
}

function partyOf({ address, roles: [role] }: Examined): { party: Statement } {
  return { party: nameRole(role, address) };
}

/** Get a right and have no code: code limits the use of a right, a key does not. */
function withoutCode(examined: readonly Examined[], { risk }: CaseFile): Examined[] {
  return examined
    .filter(({ address, roles }) => entitled.has(roles[0]) && risk?.verification[address]?.code === "none")
    .slice(0, notesOfKindMax);
}

const entitled: ReadonlySet<Role> = new Set(["spender", "operator", "delegate", "controller"]);

/** Called, or get a right, and replaceable. */
function upgradeable(examined: readonly Examined[], { risk }: CaseFile): Examined[] {
  return examined
    .filter(({ roles: [role] }) => role === "called" || entitled.has(role))
    .filter(({ address }) => risk?.verification[address]?.via.some((kind) => replaceable.has(kind)))
    .slice(0, notesOfKindMax);
}

/** Others can replace the code. Not EIP-1167, which never changes, nor EIP-7702 and Safe, whose owners change it. */
const replaceable: ReadonlySet<ProxyKind> = new Set(["eip1967", "beacon", "eip1822", "zeppelin", "diamond"]);

const notesOfKindMax = 5;
