import { type Address, checksum } from "../../../kernel/address.ts";
import { limits } from "../../../kernel/limits.ts";
import type { Explanation } from "../../../model/explanation.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { AccountView, BalanceChange, ViewGrant } from "../../../model/told/account-view.ts";
import type { Movement } from "../../../model/transaction.ts";
import type { Grant } from "../../assess/grants/grants.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { movementsOf } from "../../normalize/movement-index.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { FlowPhrases } from "../amounts/flow-phrases.ts";
import { usdOfAmount } from "../amounts/measure.ts";
import type { Findings } from "../findings.ts";
import { joinSentences } from "../phrase.ts";
import type { Words } from "../teller/words.ts";

/** For one account. `explanation`: of the same findings; `grants`: all of the transaction. */
export function presentView(
  findings: Findings,
  account: Address,
  { explanation, grants: given, words }: { explanation: Explanation; grants: readonly Grant[]; words: Words },
): AccountView {
  const { tx, subject } = findings;
  // Equal amounts in and out: only if the balance changed all the same.
  const changes = netChanges(tx.movements, account).filter(
    (change) => change.delta !== 0n || checkChange(change, findings, account) === "differs",
  );
  const shown = changes.slice(0, limits.assetsMax);
  const grants = given.filter(({ owner, stands, uncertain }) => owner === account && stands && !uncertain);
  const isSubject = account === subject;
  const told = isSubject ? untold(explanation) : tellFrom(findings, account, { grants, words });
  const { names } = words;
  const isOurs = (token: Address | null) => names.facts(token).listed || names.facts(token).symbol === null;
  const untrusted = [
    ...(told.untrusted ? ["summary"] : []),
    ...shown.flatMap(({ token }, i) => (isOurs(token) ? [] : [`balance_changes[${i}].token`])),
    ...grants.flatMap(({ token }, i) => (isOurs(token) ? [] : [`grants[${i}].token`])),
  ];
  return {
    tx_hash: tx.hash,
    account: checksum(account),
    role: roleOf(findings, account),
    summary: told.text,
    action_type: explanation.action_type,
    status: explanation.status,
    balance_changes: shown.map((change) => presentChange(change, findings, { account, names })),
    grants: grants.map((grant) => presentGrant(grant, names)),
    risk_flags: explanation.risk_flags,
    checks: explanation.checks,
    paid_gas_usd: account === tx.from ? explanation.gas_paid_usd : 0,
    timestamp: explanation.timestamp,
    block_number: explanation.block_number,
    explorer_url: explanation.explorer_url,
    partial: explanation.partial || !tx.nativeComplete || shown.length < changes.length,
    provenance: { untrusted_fields: untrusted, note: explanation.provenance.note },
  };
}

function untold({ summary, provenance }: Explanation): Phrase {
  return { text: summary, untrusted: provenance.untrusted_fields.includes("summary") };
}

/** What it gave, got and allowed, for an account that the answer is not about. */
function tellFrom(
  { tx }: Findings,
  account: Address,
  { grants, words: { names, teller, nameOf } }: { grants: readonly Grant[]; words: Words },
): Phrase {
  const who = teller.short(account);
  if (tx.status === "reverted") return teller.say("view.reverted", { account: who });
  const flow = balanceChanges(tx, account);
  const flows = new FlowPhrases(names, teller, nameOf);
  const list = (side: "gives" | "gets") => (flow[side].length === 0 ? undefined : flows.side({ flow, tx }, side));
  const [gives, gets, others] = [list("gives"), list("gets"), flows.others({ flow, tx })];
  const allowed = grants.map(({ token, grantee, amount }) => {
    const right = amount === null ? names.name(token) : names.allowance(token, amount);
    return teller.say("summary.allowed", { spender: nameOf(grantee), amount: right });
  });
  const first = (): Phrase => {
    if (gives !== undefined && gets !== undefined) return teller.say("view.traded", { account: who, gives, gets });
    const moved = gives ?? gets;
    if (moved === undefined) return teller.say("view.unmoved", { account: who });
    const said = { account: who, amount: moved };
    if (others === undefined) return teller.say(gives === undefined ? "view.got" : "view.gave", said);
    return teller.say(gives === undefined ? "view.got_from" : "view.gave_to", { ...said, others });
  };
  const also = allowed.slice(0, 2).map((acts) => teller.say("summary.also", { acts }));
  return joinSentences([first(), ...also]);
}

function roleOf({ tx, subject, unwrapped }: Findings, account: Address) {
  if (account === tx.from) return "sender";
  if (account === subject) return "subject";
  const isNamed =
    account === tx.to ||
    tx.movements.some(({ from, to }) => from === account || to === account) ||
    unwrapped.calls.some(({ from, to, actor }) => from === account || to === account || actor === account) ||
    tx.logs.some(
      ({ address, topics }) => address === account || topics.some((topic) => topic.endsWith(account.slice(2))),
    );
  return isNamed ? "counterparty" : "bystander";
}

function presentChange(
  { standard, token, tokenId, delta }: NetChange,
  findings: Findings,
  { account, names }: { account: Address; names: AssetNames },
): BalanceChange {
  const { file } = findings;
  const isNft = standard === "erc721" || standard === "erc1155";
  const facts = names.facts(token);
  const price = token === null ? { source: file.price.source, usd: file.price.eth_usd } : file.view?.prices[token];
  const usd = isNft ? null : usdOfAmount(delta, facts.decimals, price?.usd ?? null);
  return {
    token: facts.symbol ?? checksum(token as Address),
    token_address: token === null ? null : checksum(token),
    standard,
    ...(isNft && { token_id: (tokenId ?? 0n).toString() }),
    delta: isNft ? delta.toString() : names.exact(token, delta),
    usd,
    price_source: usd === null ? null : (price?.source ?? null),
    balance_check: checkChange({ standard, token, tokenId, delta }, findings, account),
  };
}

/** Its gas is not part of it. */
function checkChange(
  { standard, token, delta }: NetChange,
  { file: { view }, tx }: Findings,
  account: Address,
): BalanceChange["balance_check"] {
  const gas = token === null && account === tx.from ? tx.feeWei : 0n;
  if (gas === null || standard === "erc721" || standard === "erc1155") return "not_checked";
  const read = view?.account === account ? view.balances.find((one) => one.token === token) : undefined;
  if (read === undefined || read.before === null || read.after === null) return "not_checked";
  return BigInt(read.after) - BigInt(read.before) === delta - gas ? "equal" : "differs";
}

function presentGrant({ token, grantee, amount, kind }: Grant, names: AssetNames): ViewGrant {
  return {
    token: names.facts(token).symbol ?? checksum(token),
    token_address: checksum(token),
    spender: checksum(grantee),
    amount: amount === null ? null : names.exact(token, amount),
    unlimited: amount === null ? kind === "operator" : names.isUnlimited(token, amount),
  };
}

/** Signed base units. */
interface NetChange extends Pick<Movement, "standard" | "token" | "tokenId"> {
  delta: bigint;
}

/**
 * In order of first movement; 0: as much came as went. Includes gas through a wrapper, unlike rules' flow. Sums to zero over all accounts
 * and the zero address.
 */
export function netChanges(movements: readonly Movement[], account: Address): NetChange[] {
  const changes = new Map<string, NetChange>();
  for (const { standard, token, tokenId, from, to, amount } of movementsOf(movements, account)) {
    if (from !== account && to !== account) continue;
    const key = `${standard} ${token} ${tokenId}`;
    const known = changes.get(key) ?? { standard, token, tokenId, delta: 0n };
    changes.set(key, {
      ...known,
      delta: known.delta + (to === account ? amount : 0n) - (from === account ? amount : 0n),
    });
  }
  return [...changes.values()];
}
