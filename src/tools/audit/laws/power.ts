import { checksum, shorten, zeroAddress } from "../../../kernel/address.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import { readAuthorizations, standingCode } from "../facts/authorizations.ts";
import type { ControlChange } from "../facts/control.ts";
import type { Right } from "../facts/rights.ts";
import { isClaim, type Scene } from "../scene.ts";
import type { Violation } from "../violation.ts";

/** Law 5: every remaining right over a principal's tokens is in the summary or in a flag. */
export function auditRights({ rights, telling, knowledge }: Scene): Violation[] {
  const { contract_verification, first_interaction, drainer_blacklist } = telling.answer.checks;
  const claimed = [contract_verification, first_interaction, drainer_blacklist].every(isClaim);
  const untold = rights.filter(({ spender, certain }) => {
    // A right that may be bookkeeping need not be told. But then the checks must not all claim that everything was looked at.
    return !telling.tellsPower(spender) && (certain || (claimed && !telling.answer.partial));
  });
  const isListed = ({ token }: Right): boolean => knowledge.token(token) !== undefined;
  // Rights over strangers' tokens may be cut, but the answer must say so. They are reported in one violation for each owner.
  const others = telling.answer.partial ? [] : untold.filter((right) => !isListed(right));
  const first = [...Map.groupBy(others, ({ owner }) => owner).values()].flatMap((own) => own.slice(0, 1));
  return [...untold.filter(isListed), ...first].map((right) => {
    const { owner, spender, token, left } = right;
    const more = isListed(right) ? 0 : others.filter((other) => other.owner === owner).length - 1;
    const whose = `${checksum(spender)} may take ${left} units of ${checksum(token)} from ${checksum(owner)}`;
    const rest = more > 0 ? ` (and ${more} more such rights over strangers' tokens)` : "";
    return { law: 5, sentence: `${whose}${rest}, and neither the summary nor a flag tells it.` };
  });
}

/** Law 6: every change of control over a principal's account or contract is in the summary. */
export function auditControl({ controls, telling }: Scene): Violation[] {
  return controls.flatMap((change) => {
    if (telling.cutsControl || isControlTold(change, telling)) return [];
    const party = change.party === undefined ? "" : ` (${checksum(change.party)})`;
    const sentence = `At ${checksum(change.of)} ${change.what}${party}, and the summary does not tell it.`;
    return [{ law: 6, sentence }];
  });
}

function isControlTold({ party, number, what }: ControlChange, { names, answer }: Scene["telling"]): boolean {
  if (party !== undefined && party !== zeroAddress) return names(party);
  if (number !== undefined) return new RegExp(`\\b${number}\\b`).test(answer.summary);
  // The event names a key or the zero address, so at least the kind of change must be told.
  const kind = /owner|module|guard|handler|code/.exec(what)?.[0] ?? "";
  return new RegExp(kind, "i").test(answer.summary);
}

/** Law 7: the summary has the code to which each account delegates afterwards. */
export function auditDelegations({ facts, telling }: Scene): Violation[] {
  const { file, sender } = facts;
  const list = readAuthorizations(file);
  const nonce = readQuantity(file.transaction.nonce);
  const found: Violation[] = [];
  for (const [authority, candidates] of standingCode(list, { account: sender, nonce })) {
    if (candidates.length === 0) continue;
    const delegates = candidates.map(({ delegate }) => delegate);
    const told = delegates.some((delegate) => delegate === zeroAddress || telling.names(delegate));
    if (told && telling.names(authority)) continue;
    const code = delegates.map((one) => (one === zeroAddress ? "no code" : checksum(one))).join(" or ");
    const sentence = `${checksum(authority)} delegates to ${code} now, and the summary does not tell that of ${shorten(authority)}.`;
    found.push({ law: 7, sentence });
  }
  for (const { delegate, authority } of list) {
    if (authority !== undefined || delegate === zeroAddress || telling.tellsPower(delegate)) continue;
    found.push({ law: 7, sentence: `Somebody delegates to ${checksum(delegate)}, and the answer does not tell it.` });
  }
  return found;
}
