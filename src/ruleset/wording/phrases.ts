import type { Address } from "../../kernel/address.ts";
import type { Phrase } from "../../model/phrase.ts";

/** What a placeholder of a phrase takes. The right side is the type of the value. */
export interface PlaceholderValues {
  /** Text of ours, or text that is formatted and quoted already. */
  text: string;
  number: number;
  /** Written in full, in EIP-55 form. */
  address: Address;
  /** Written as `0x1234…abcd`. */
  short: Address;
  /** In full, with commas between them. */
  addresses: readonly Address[];
  /** Another phrase of the table. */
  clause: Statement;
  /** Several, with semicolons between them. */
  clauses: readonly Statement[];
  /** Text that may come from a contract and knows it. */
  phrase: Phrase;
}

export type PlaceholderKind = keyof PlaceholderValues;

/**
 * Every phrase that the product says, with its placeholders. The words stand in rules/wording.yaml, by section and name. A phrase
 * with `count` may have a form for one and a form for other numbers.
 */
export const phrases = {
  "summary.sender": {},
  "summary.undecoded": {},
  "summary.reverted": { told: "phrase" },
  "summary.tried": { act: "text" },
  "summary.would": { act: "text" },
  "summary.some_act": {},
  "summary.on_protocol": { act: "text", protocol: "text" },
  "summary.also": { acts: "phrase" },
  "summary.more_steps": { count: "number" },
  "summary.reason": { reason: "phrase" },
  "summary.reason_unknown": {},
  "summary.gas_in_tokens": { amounts: "phrase" },
  "summary.sent": { amount: "phrase", to: "text" },
  "summary.had_paid": { amount: "phrase", to: "text" },
  "summary.gave": { amount: "phrase" },
  "summary.gave_for_it": { amount: "phrase" },
  "summary.allowed": { spender: "text", amount: "phrase" },
  "summary.more_control": { count: "number" },
  "summary.lost_more": { count: "number" },
  "summary.beside": { told: "phrase" },
  "view.traded": { account: "text", gives: "phrase", gets: "phrase" },
  "view.got": { account: "text", amount: "phrase" },
  "view.got_from": { account: "text", amount: "phrase", others: "phrase" },
  "view.gave": { account: "text", amount: "phrase" },
  "view.gave_to": { account: "text", amount: "phrase", others: "phrase" },
  "view.unmoved": { account: "text" },
  "view.reverted": { account: "text" },
  "preview.simulated": { block: "number", told: "phrase" },
  "preview.sender": {},
  "preview.reverted": { told: "phrase" },
  "preview.differs": {},
  "preview.asks": { acts: "phrase" },
  "preview.asks_account": { account: "text", acts: "phrase" },
  "preview.asks_unknown": {},
  "preview.asks_more": { count: "number" },
  "preview.beside": { sender: "text", told: "phrase" },
  "preview.call": { to: "text" },
  "preview.call_with": { to: "text", amount: "phrase" },
  "preview.through": { to: "text" },
  "preview.send_along": { amount: "phrase" },
  "preview.allow": { spender: "text", amount: "phrase" },
  "preview.allow_all": { spender: "text", collection: "text" },
  "preview.delegate": { delegate: "text" },
  "preview.unsimulated": {},
  "preview.refused": { reason: "clause" },
  "preview.note_can_change": {},
  "preview.note_reverted": {},
  "preview.note_differs": {},
  "preview.note_unpriced": {},
  "preview.note_no_code": { party: "clause" },
  "preview.note_upgradeable": { party: "clause" },
  "preview.note_missing": { method: "text" },
  "preview.note_failed": { method: "text" },
  "refusal.funds": {},
  "refusal.nonce_low": {},
  "refusal.nonce_high": {},
  "refusal.gas_low": {},
  "refusal.gas_high": {},
  "refusal.fee_low": {},
  "refusal.code_size": {},
  "refusal.sender_code": {},
  "refusal.other": {},
  "preview.flag_reverted": {},
  "preview.flag_failed_inside": { what: "text" },
  "preview.flag_failed_without_effect": { what: "text" },
  "preview.flag_calls_failed": { count: "number", account: "address", first: "address" },
  "asset.unlimited": { asset: "phrase" },
  "asset.raw": { count: "number", amount: "text", asset: "phrase" },
  "asset.token": { token: "short" },
  "asset.nft": { id: "text", collection: "short" },
  "asset.all": {},
  "asset.untraced": {},
  "asset.untraced_ether": {},
  "asset.more": { count: "number" },
  "value.yes": {},
  "value.no": {},
  "value.chain": { id: "phrase" },
  "value.part_to": { amount: "phrase", to: "text" },
  "value.and_others": { first: "text", count: "number" },
  "reason.out_of_gas": {},
  "reason.unknown_error": { selector: "text" },
  "reason.unknown_panic": { code: "text" },
  "reason.argument_given": {},
  "missing.cut": { what: "text" },
  "missing.nested_calls": {},
  "missing.ether_by_calldata": {},
  "missing.ether": {},
  "missing.counterparties": { count: "number" },
  "missing.flags_cut": { count: "number" },
  "missing.movements_cut": { count: "number" },
  "missing.left_over": { count: "number", assets: "phrase" },
  "missing.received": { asset: "phrase" },
  "missing.sent": { asset: "phrase" },
  "answer.provenance": {},
  "role.spender": { address: "address" },
  "role.operator": { address: "address" },
  "role.delegate": { address: "address" },
  "role.controller": { address: "address" },
  "role.recipient": { address: "address" },
  "role.called": { address: "address" },
  "role.token": { address: "address" },
  "role.sender": { address: "address" },
  "flag.reverted": {},
  "flag.failed_inside": { what: "text" },
  "flag.failed_without_effect": { what: "text" },
  "flag.calls_failed": { count: "number", account: "address", first: "address" },
  "flag.drainer": { party: "clause", list: "text" },
  "flag.drainer_dated": { party: "clause", list: "text", date: "text" },
  "flag.unverified": { party: "clause" },
  "flag.unverified_behind": { party: "clause", logic: "addresses" },
  "flag.first_contact": { account: "address", party: "clause" },
  "flag.first_contact_twin": {
    account: "address",
    party: "clause",
    prefix: "number",
    suffix: "number",
    known: "address",
  },
  "flag.odd_text": { token: "clause", reasons: "clauses" },
  "flag.imitation": { token: "clause", likeness: "clause", symbol: "text", genuine: "address" },
  "likeness.exact": { symbol: "text" },
  "likeness.casefold": { symbol: "text" },
  "likeness.confusable": { symbol: "text" },
  "likeness.name": { symbol: "text" },
  "likeness.decorated": { symbol: "text" },
  "odd_text.invalid_utf8": {},
  "odd_text.empty": {},
  "odd_text.too_long": {},
  "odd_text.control_or_bidi": {},
  "odd_text.url_or_domain": {},
  "odd_text.call_to_action": {},
  "odd_text.endorsement": {},
  "odd_text.markup": {},
  "odd_text.mixed_script": {},
  "odd_text.whole_script_confusable": {},
  "odd_text.compat_form": {},
  "odd_text.combining_marks": {},
  "odd_text.instruction_like": {},
  "grant.given": { spender: "clause", right: "clause" },
  "grant.given_through": { spender: "clause", right: "clause", protocol: "text", end: "clause" },
  "grant.reported": { spender: "clause", right: "clause" },
  "grant.taken_back": { spender: "clause" },
  "grant.unclear": { spender: "clause", right: "clause" },
  "grant.right": { much: "clause", token: "clause", owner: "address" },
  "grant.unlimited": {},
  "grant.exceeds_supply": {},
  "grant.very_large": {},
  "grant.without_end": {},
  "grant.this_block": {},
  "grant.far_end": {},
  "grant.until": { date: "text" },
  "operator.given": { operator: "clause", owner: "address", collection: "address" },
  "operator.taken_back": { operator: "clause", collection: "address" },
  "operator.unproven": { operator: "clause", emitter: "address" },
  "poisoning.fan_out": { count: "number" },
  "poisoning.twin": { stranger: "short", known: "short", victim: "short", prefix: "number", suffix: "number" },
  "poisoning.nothing_sent": { owner: "short" },
  "poisoning.nothing_sent_by_many": { count: "number" },
  "poisoning.fake_token": {},
  "poisoning.dust": {},
  "check.no_lookups": {},
  "check.beyond_limit": { count: "number" },
  "check.source_unavailable": { count: "number" },
  "check.diamond": { count: "number" },
  "check.code_undecidable": { count: "number" },
  "check.history_unasked": {},
  "check.history_unavailable": {},
  "check.history_inconclusive": { count: "number" },
  "check.no_list": {},
  "check.lists_unavailable": {},
  "check.lists_stale": { count: "number" },
  "check.after_lists": { count: "number" },
  "check.supply_unread": { count: "number" },
  "check.allowance_unclear": { count: "number" },
  "check.money_cut": { count: "number" },
  "check.ether_unseen": { count: "number" },
} as const satisfies Record<string, Record<string, PlaceholderKind>>;

export type PhraseId = keyof typeof phrases;

/** The values that a phrase is said with. */
export type Fill<I extends PhraseId> = {
  readonly [K in keyof (typeof phrases)[I]]: (typeof phrases)[I][K] extends PlaceholderKind
    ? PlaceholderValues[(typeof phrases)[I][K]]
    : never;
};

/** Something to be told: a phrase and its values, not yet words. */
export type Statement = { [I in PhraseId]: { says: I; fill: Fill<I> } }[PhraseId];

/** A phrase with its values. */
export function state<I extends PhraseId>(says: I, fill: Fill<I>): Statement {
  return { says, fill } as Statement;
}
