import { numberToHex, pad } from "viem/utils";
import { describe, expect, it } from "vitest";
import { checksum, zeroAddress } from "../../../src/kernel/address.ts";
import { approvalTopic, transferTopic } from "../../../src/kernel/token-standards.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { addedGrants, addedThefts } from "../../../src/tools/lint/mutation/added-loss.ts";
import { CaseOutcome } from "../../../src/tools/lint/mutation/case-outcome.ts";
import type { Mutant, Original } from "../../../src/tools/lint/mutation/mutant.ts";
import { thirdParties } from "../../../src/tools/lint/mutation/planted-event.ts";
import { divertedPayments, otherBeneficiaries } from "../../../src/tools/lint/mutation/redirected-money.ts";
import { stagesOf } from "../../../src/tools/lint/mutation/stage.ts";
import { forgers } from "../../../src/tools/lint/mutation/stranger.ts";
import {
  alice,
  base,
  behind,
  bob,
  call,
  caseOf,
  type Given,
  inside,
  listed,
  none,
  originalOf,
  passedOn,
  row,
  tree,
  usdc,
  weth,
  world,
} from "./weak-original.ts";

const [{ thief, front }, { labels }] = [forgers, world];

/** The forged cases by name. Every one of them must be seen through. */
function forged(mutants: readonly Mutant[], kind: Mutant["kind"]): Map<string, CaseFile> {
  for (const { judge, caseFile } of mutants) expect(judge(new CaseOutcome(caseFile, world))).toBeNull();
  expect(new Set(mutants.map((one) => one.kind))).toEqual(new Set(mutants.length === 0 ? [] : [kind]));
  return new Map(mutants.map(({ change, caseFile }) => [change, caseFile]));
}

const silent = {
  ...{ summary: "", violations: () => [], hasActionOf: () => true, caseFile: base },
  decision: { explanation: { partial: false, risk_flags: [] } },
  trial: { tx: { from: alice }, actions: [] },
} as never;
const transferFrom = (amount: bigint) =>
  `0x23b872dd${[alice, thief, numberToHex(amount)].map((one) => pad(one, { size: 32 }).slice(2)).join("")}`;
const withLog = (file: CaseFile, log: object) =>
  ({ ...file, receipt: { ...file.receipt, logs: [...file.receipt.logs, log] } }) as CaseFile;
const without = (original: Original, what: "success" | "tokens"): Original =>
  what === "success"
    ? { ...original, trial: { ...original.trial, tx: { ...original.trial.tx, status: "reverted" } } }
    : { ...original, world: { ...world, labels: Object.assign(Object.create(labels), { tokens: () => [] }) } };
const token = labels.tokens().find(({ address, wellKnown }) => wellKnown && address !== usdc && address !== weth);
const stolen = 10_000n * 10n ** BigInt(token?.decimals ?? 0);
const logOf = (topic: string, amount: bigint) => ({
  ...{ address: token?.address, topics: [topic, pad(alice), pad(thief)], data: numberToHex(amount, { size: 32 }) },
});

describe("what is lost besides", () => {
  const [tokens, ether] = ["a token goes to a stranger too, ", "ether goes to a stranger too, "];
  const dollars = "dollars are destroyed too, ";
  const bought = "a stranger buys a token for a little too, ";
  const isSold = ({ change }: Mutant) => change.startsWith(bought);
  const plain = (of: Original) => addedThefts(of).filter((one) => !isSold(one));
  const thefts = (given?: Given) => forged(plain(originalOf(caseOf(given))), "added-theft");

  it("is a token that somebody paid a little for, which no other act at a known contract may count", () => {
    const mutants = addedThefts(originalOf()).filter(isSold);
    expect([...forged(mutants, "added-theft").keys()]).toEqual([bought + inside, bought + behind]);
    const one = mutants.at(0) as Mutant;
    const [theft, price] = one.caseFile.receipt.logs.slice(-2).map(({ topics }) => topics.slice(1));
    expect(theft?.toReversed()).toEqual(price);
    const counting = (rule: object, place: number) => {
      const tx = { movements: [{ token: token?.address }], from: alice };
      const actions = [{ rule: { specificity: { place }, ...rule }, movements: [0], context: { tx } }];
      return one.judge({ ...(silent as object), trial: { tx, actions } } as never);
    };
    expect(counting({ exchanges: false }, 3)).toBe("the stranger is not told");
    expect([counting({ exchanges: true }, 3), counting({ exchanges: false }, 0)]).toEqual([null, null]);
  });

  it("is a token, and ether where its movements are known, on each stage", () => {
    const original = originalOf();
    const [first, second] = stagesOf(original);
    const [lost, log] = [`1${"0".repeat(22)}`, logOf(transferTopic, stolen)];
    const ethered = caseOf({ trace: listed({ type: "call", from: alice, to: thief, value: lost, success: true }) });
    const calldata = new Map([[3, transferFrom(stolen)]]);
    const all = thefts();
    const destroyed = [dollars + inside, dollars + behind].map((name) => {
      const { topics, data } = all.get(name)?.receipt.logs.at(-1) ?? {};
      all.delete(name);
      return [topics, data];
    });
    const burn = [[transferTopic, pad(alice), pad(zeroAddress)], numberToHex(10n ** 22n, { size: 32 })];
    expect(destroyed).toEqual([burn, burn]);
    expect([...all]).toEqual([
      [tokens + inside, first?.set(withLog(base, log), calldata)],
      [ether + inside, first?.set(ethered, new Map())],
      [tokens + behind, second?.set(withLog(base, log), calldata)],
      [ether + behind, second?.set(ethered, new Map())],
    ]);
    for (const { judge } of plain(original)) expect(judge(silent)).toBe("the stranger is not told");
  });

  it("is ether at the end of a list or of a call tree", () => {
    const lost = { type: "call", from: alice, to: thief, value: `1${"0".repeat(22)}`, success: true };
    expect(thefts({ trace: listed(row) }).get(ether + behind)?.trace).toEqual(listed(passedOn, row, lost));
    const frame = { type: "CALL", from: alice, to: thief, value: numberToHex(10n ** 22n), input: "0x" };
    const whole = [usdc, weth].map((to) => ({ type: "CALL", from: call.to, to, value: "0x0", input: "0x" }));
    const stolenFrom = thefts({ trace: tree({ ...call, calls: whole }) });
    expect(stolenFrom.get(ether + inside)?.trace).toEqual(tree({ ...call, calls: [...whole, frame] }));
    expect(stolenFrom.size).toBe(6);
    expect([...thefts({ trace: none }).keys()]).toEqual([tokens + behind, dollars + behind]);
  });

  it("is nothing of what reverted, nor ether of whom did not send it", () => {
    const original = originalOf();
    expect(addedThefts(without(original, "success"))).toEqual([]);
    const changes = addedThefts(without(original, "tokens")).map(({ change }) => change);
    expect(changes).toEqual([ether + inside, ether + behind]);
    const sent = (tx: object) =>
      plain({ ...original, trial: { ...original.trial, tx: { ...original.trial.tx, ...tx } } } as Original);
    for (const tx of [{ from: bob }, { type: "deposit" }])
      expect(sent(tx).map(({ change }) => change)).toEqual([
        ...[tokens + inside, dollars + inside, tokens + behind, dollars + behind],
      ]);
  });
});

describe("what a stranger may take besides", () => {
  it("is all of a token, or a part of it, on each stage", () => {
    const original = originalOf();
    const [first, second] = stagesOf(original);
    const all = 2n ** 256n - 1n;
    const parts = (amount: bigint) =>
      [alice, thief, numberToHex(amount), numberToHex(all), "0x1b", "0x01", "0x01"] as const;
    const permit = (amount: bigint) =>
      `0xd505accf${parts(amount)
        .map((one) => pad(one, { size: 32 }).slice(2))
        .join("")}`;
    const on = (stage: typeof first, amount: bigint) =>
      stage?.set(withLog(base, logOf(approvalTopic, amount)), new Map([[3, permit(amount)]]));
    expect([...forged(addedGrants(original), "added-grant")]).toEqual([
      [`a stranger may take all of a token, ${inside}`, on(first, all)],
      [`a stranger may take a part of a token, ${inside}`, on(first, stolen)],
      [`a stranger may take all of a token, ${behind}`, on(second, all)],
      [`a stranger may take a part of a token, ${behind}`, on(second, stolen)],
    ]);
    for (const { judge } of addedGrants(original)) expect(judge(silent)).toBe("the right is not told");
    for (const what of ["success", "tokens"] as const) expect(addedGrants(without(original, what))).toEqual([]);
  });
});

describe("money that goes elsewhere", () => {
  const redirected = (file: CaseFile, place: number, at: number) => {
    const logs = file.receipt.logs.map((log, i) =>
      i === place ? { ...log, topics: log.topics.with(at, pad(thief)) } : log,
    );
    return { ...file, receipt: { ...file.receipt, logs } };
  };
  const given = (given?: Given) => forged(divertedPayments(originalOf(caseOf(given))), "diverted-payment");
  const [goes, stays] = ["what the subject gives goes to a stranger, ", "the ether stays with a stranger's contract"];

  it("is what the subject gave, on each stage, and ether that a stranger keeps", () => {
    const original = originalOf();
    const [first, second] = stagesOf(original);
    const calldata = new Map([[0, transferFrom(5n)]]);
    expect([...given()]).toEqual([
      [goes + inside, first?.set(redirected(base, 0, 2), calldata)],
      [goes + behind, second?.set(redirected(base, 0, 2), calldata)],
      [stays, caseOf({ transaction: { to: front } })],
    ]);
    for (const { judge } of divertedPayments(original)) expect(judge(silent)).toBe("the stranger is not told");
    expect([...given({ transaction: { value: "0x0" } }).keys()]).toEqual([goes + inside, goes + behind]);
    expect([...given({ logs: [2] }).keys()]).toEqual([stays]);
    expect([...given({ logs: [2], transaction: { value: "0x0" } }).keys()]).toEqual([]);
  });

  it("is what the subject got", () => {
    const original = originalOf();
    const [mutant, ...more] = otherBeneficiaries(original) as [Mutant];
    expect([mutant.kind, mutant.change, more]).toEqual([
      ...["other-beneficiary", "what the subject gets goes to a stranger", []],
    ]);
    expect(mutant.caseFile).toEqual(redirected(base, 1, 2));
    expect(otherBeneficiaries(originalOf(caseOf({ logs: [0, 2] })))).toEqual([]);
  });

  it("is told, unless the rule does not stand or nobody can know", () => {
    const [{ judge }] = otherBeneficiaries(originalOf()) as [Mutant];
    const outcome = (more: {
      stands?: boolean;
      partial?: boolean;
      trace?: object;
      summary?: string;
      said?: string;
    }) => {
      const { stands = true, partial = false, trace = listed(), summary = "", said } = more;
      return {
        ...{ summary, violations: () => (said === undefined ? [] : [said]), caseFile: { trace } },
        decision: { explanation: { partial } },
        trial: { actions: stands ? [originalOf().candidate] : [] },
      } as never;
    };
    const untold = "the stranger is not told";
    expect([judge(outcome({})), judge(outcome({ partial: true })), judge(outcome({ trace: none }))]).toEqual([
      ...[untold, untold, untold],
    ]);
    expect(judge(outcome({ summary: checksum(thief) }))).toBeNull();
    expect(judge(outcome({ partial: true, trace: none }))).toBeNull();
    expect(judge(outcome({ stands: false }))).toBeNull();
    for (const account of [alice, thief]) {
      const said = `law 3: ${checksum(account)} lost it`;
      expect(judge(outcome({ stands: false, said }))).toBe(said);
    }
    expect(judge(outcome({ stands: false, said: `law 3: ${checksum(bob)} lost it` }))).toBeNull();
  });
});

describe("a plain transfer among the logs of others", () => {
  it("leaves what was made where it is: nobody can stand in for no account", () => {
    const made = {
      address: weth,
      topics: [transferTopic, pad(zeroAddress), pad(alice)],
      data: numberToHex(7n, { size: 32 }),
    };
    const [mutant] = thirdParties(originalOf(withLog(base, made)));
    expect(mutant?.caseFile.receipt.logs[3]?.topics[1]).toBe(pad(zeroAddress));
    expect(mutant?.caseFile.receipt.logs[3]?.topics[2]).not.toBe(pad(alice));
  });

  it("leaves whoever has a name where it is: a rule may ask for that very account", () => {
    const paid = { address: weth, topics: [transferTopic, pad(alice), pad(bob)], data: numberToHex(7n, { size: 32 }) };
    const original = originalOf(withLog(base, paid));
    const parties = (...named: string[]) => {
      const name = (address: string) => (named.includes(address) ? "Somebody" : undefined);
      const own = Object.assign(Object.create(labels), { name });
      const [mutant] = thirdParties({ ...original, world: { ...world, labels: own } } as Original);
      const [, from, to] = mutant?.caseFile.receipt.logs[3]?.topics ?? [];
      return [from === pad(alice), to === pad(bob)];
    };
    expect([parties(), parties(bob), parties(alice, bob)]).toEqual([
      [false, false],
      [false, true],
      [true, true],
    ]);
  });
});
