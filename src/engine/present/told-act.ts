import type { MatchContext } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import { type ActionType, tierRank } from "../../rules/ruleset/actions.ts";
import type { Candidate } from "../match/candidate.ts";
import type { Act } from "./draft.ts";
import type { TellingAct } from "./given/told-amounts.ts";
import { joinWords } from "./phrase.ts";
import type { SentenceWriter } from "./sentence.ts";
import type { Teller } from "./teller/teller.ts";

export type ToldAction = Pick<Candidate, "rule" | "context" | "logs">;

/** Tools for putting actions into words. `request`: the actions are only asked for. */
export interface TellingTools {
  types: ReadonlyMap<string, ActionType>;
  writer: SentenceWriter;
  teller: Teller;
  request?: boolean;
  /** Further values that the sentence about an act may use, by placeholder; undefined: none. */
  alsoOf(context: MatchContext): ReadonlyMap<string, Phrase> | undefined;
  /** Adds to an act at a stranger's contract who has its money in the end, and what it created. */
  withKeepers?(act: Phrase, action: ToldAction): Phrase;
}

/** An action in words. */
export interface ToldAct extends Act, TellingAct {
  /** Receipt positions of the logs that this act tells, and those of actions with the same words. */
  logs: number[];
  /** How many acts it stands for, where their amounts are told. */
  times: number;
}

/** A rule's sentence without its subject; the words of the action type where it cannot be filled. */
function tellAct(action: ToldAction, { types, writer, teller, alsoOf, request = false }: TellingTools): ToldAct {
  const { rule, context } = action;
  const logs = [...action.logs];
  const form = request ? "request" : rule.status === "reverted" ? "attempt" : "past";
  const subject = rule.by ?? teller.short(context.subject);
  const account = rule.by === null ? context.subject : null;
  const also = rule.carries === null ? undefined : alsoOf(context);
  const phrase = writer.write(rule.does, { rule, context, form, ...(also && { also }) });
  if (phrase !== undefined) {
    const { text, untrusted, amounts } = phrase;
    return { rule, context, logs, times: 1, account, subject, predicate: text, text, untrusted, amounts };
  }
  const type = types.get(rule.action);
  const plain = type && writer.write(type.does, { rule, context, form });
  const act = plain?.text ?? teller.words("summary.some_act");
  const { protocol } = rule;
  const text = protocol === null ? act : teller.say("summary.on_protocol", { act, protocol }).text;
  const amounts = plain?.amounts ?? [];
  return { rule, context, logs, times: 1, account, subject, predicate: text, text, untrusted: false, amounts };
}

/** The actions in words. Those that read the same are told once, except where they are only asked for. */
export function distinctActs(actions: readonly ToldAction[], tools: TellingTools): ToldAct[] {
  const told: ToldAct[] = [];
  const seen = actions.length < 2 || tools.request ? undefined : new Map<string, ToldAct>();
  for (const action of actions) {
    const act = keeping(tellAct(beside(action, actions), tools), action, tools);
    const key = seen && `${act.subject} ${act.predicate}`;
    const same = key === undefined ? undefined : seen?.get(key);
    if (same !== undefined) {
      for (const log of act.logs) same.logs.push(log);
      if (same.rule === act.rule && act.amounts.length > 0) same.times++;
      continue;
    }
    if (key !== undefined) seen?.set(key, act);
    told.push(act);
  }
  return withEqual(told).map((act) => repeated(act, tools));
}

/**
 * Joins the acts of one rule and account whose words differ in a token at the end alone: `allowed X to spend unlimited WETH, DAI and USDC`.
 */
function withEqual(told: readonly ToldAct[]): ToldAct[] {
  const groups = Map.groupBy(told, (act) => {
    const [start, asset] = splitAllowance(act);
    return asset === undefined || act.times > 1 ? act : `${act.subject} ${act.rule.id} ${start}`;
  });
  return [...groups.values()].map((acts) => {
    const [act, ...rest] = acts as [ToldAct, ...ToldAct[]];
    if (rest.length === 0) return act;
    const [start] = splitAllowance(act);
    const text = start + joinWords(acts.map((one) => splitAllowance(one)[1] as string));
    return {
      ...act,
      text,
      predicate: text,
      logs: acts.flatMap(({ logs }) => logs),
      amounts: acts.flatMap(({ amounts }) => amounts),
      untrusted: acts.some(({ untrusted }) => untrusted),
    };
  });
}

/** The words of an unlimited allowance up to its token, and the token. */
function splitAllowance({ rule, text }: ToldAct): [string, string?] {
  const at = rule.tier === tierRank("approval") ? text.indexOf(" unlimited ") : -1;
  if (at < 0) return [text];
  const start = at + " unlimited ".length;
  const asset = text.slice(start);
  return /^(?:[^\s"]+|"[^"]*" \(0x[^)]*\)|token 0x\S+)$/.test(asset) ? [text.slice(0, start), asset] : [text];
}

/** An act with how often it was done: one sentence stands for all its amounts. */
function repeated(act: ToldAct, { teller }: TellingTools): ToldAct {
  if (act.times === 1) return act;
  const times = BigInt(act.times);
  const amounts = act.amounts.map((one) => ({ ...one, amount: one.amount * times }));
  const { text } = teller.say("summary.times", { act, count: act.times });
  return { ...act, text, predicate: text, amounts };
}

/** An act together with who has its money in the end. */
function keeping(act: ToldAct, action: ToldAction, { withKeepers }: TellingTools): ToldAct {
  if (withKeepers === undefined) return act;
  const { text, untrusted } = withKeepers(act, action);
  return text === act.text ? act : { ...act, text, predicate: text, untrusted };
}

/** A wrapper's act, such as a Safe's execution, that knows where other acts of its account were done. */
function beside(action: ToldAction, actions: readonly ToldAction[]): ToldAction {
  if (!action.rule.yields || actions.length < 2) return action;
  const others = actions.filter((one) => one !== action && one.context.subject === action.context.subject);
  const toldAt = new Set(others.flatMap(({ context: { log, call } }) => log?.address ?? call?.to ?? []));
  return { ...action, context: { ...action.context, toldAt } };
}
