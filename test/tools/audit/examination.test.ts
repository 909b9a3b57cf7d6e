import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import type { CaseFile, RpcFrame } from "../../../src/model/case-file.ts";
import type { AssetMoved, CheckStatus, Explanation } from "../../../src/model/explanation.ts";
import type { RiskLookups, VerificationLookup } from "../../../src/model/risk-lookups.ts";
import { alice, bob, carol, caseOf, frame, token, transferLog, usdc, vault, weth } from "../../support/case-of.ts";
import { approvalLog, lawsBroken, movedEther, movedUsdc, taking, thousand, told, tracedCase } from "./scene.ts";

const answered = { source: "test", time: "2024-01-01T00:00:00Z" };
const [a, c] = [alice, carol].map(shorten);

function risk(parts: { asked?: string[]; hits?: string[]; known?: string[]; absent?: string[]; read?: string[] }) {
  const code = (address: string, status: "found" | "absent"): [string, VerificationLookup] => [
    address,
    { ...answered, status, code: "contract", logic: [], via: [], owned: false },
  ];
  return {
    verification: Object.fromEntries([
      ...(parts.read ?? []).map((address) => code(address, "found")),
      ...(parts.absent ?? []).map((address) => code(address, "absent")),
    ]),
    history: {
      [alice]: {
        ...answered,
        status: "found",
        complete: true,
        through_code: false,
        counterparties: (parts.known ?? [vault, bob, carol]) as RiskLookups["history"][string]["counterparties"],
        unordered: [],
      },
    },
    drainers: {
      ...answered,
      status: "found",
      lists: [],
      asked: (parts.asked ?? []) as RiskLookups["drainers"]["asked"],
      hits: (parts.hits ?? []).map((address) => ({ address, list: "test" })) as RiskLookups["drainers"]["hits"],
    },
  } as const satisfies RiskLookups;
}

const calls: RpcFrame[] = [
  taking(vault, usdc, alice, bob, thousand),
  frame(vault, bob, { calls: [taking(bob, usdc, bob, carol, thousand)] }),
];
const passedOn = (lookups: RiskLookups): CaseFile => {
  const logs = [transferLog(usdc, alice, bob, thousand), transferLog(usdc, bob, carol, thousand)];
  return { ...tracedCase(calls, { receipt: { logs } }), risk: lookups };
};

function checked(status: CheckStatus, parts: Partial<Explanation> = {}, moved?: AssetMoved[]): Explanation {
  const statuses = { contract_verification: status, first_interaction: status, drainer_blacklist: status };
  const checks = { ...statuses, unchecked_addresses: [], note: null };
  return told(`${a} called ${c}, giving 1,000 USDC.`, moved ?? [movedUsdc(alice, bob, thousand)], { checks, ...parts });
}

describe("law 8: a check that says ok", () => {
  const all = [vault, bob, carol];

  it("has looked up every account that has the money in the end", () => {
    expect(lawsBroken(passedOn(risk({ asked: all, read: all })), checked("ok"))).toEqual([]);
    expect(lawsBroken(passedOn(risk({ asked: [vault, bob], read: all })), checked("ok"))).toEqual([8]);
    expect(lawsBroken(passedOn(risk({ asked: [vault, bob], read: all })), checked("partial"))).toEqual([]);
  });

  it("has looked up the called contract, no matter what it is called with", () => {
    expect(lawsBroken(passedOn(risk({ asked: all, read: [bob] })), checked("ok"))).toEqual([8]);
    expect(lawsBroken(passedOn(risk({ asked: all, read: [bob] })), checked("not_applicable"))).toEqual([8]);
    expect(lawsBroken(passedOn(risk({ asked: [bob, carol], read: all })), checked("ok"))).toEqual([8]);
  });

  it("is followed by the flags that its answers require", () => {
    const listed = passedOn(risk({ asked: all, read: all, hits: [carol] }));
    const flags = (flag: Explanation["risk_flags"][number]["flag"], address: typeof bob) => ({
      risk_flags: [{ flag, detail: `The recipient ${checksum(address)} has something.` }],
    });
    expect(lawsBroken(listed, checked("ok"))).toEqual([8]);
    expect(lawsBroken(listed, checked("ok", flags("known_drainer", carol)))).toEqual([]);
    const absent = passedOn(risk({ asked: all, read: [bob, carol], absent: [vault] }));
    expect(lawsBroken(absent, checked("ok"))).toEqual([8]);
    expect(lawsBroken(absent, checked("ok", flags("unverified_contract", vault)))).toEqual([]);
    const unknown = passedOn(risk({ asked: all, read: all, known: [vault, bob] }));
    expect(lawsBroken(unknown, checked("ok"))).toEqual([8]);
    expect(lawsBroken(unknown, checked("ok", flags("first_time_counterparty", carol)))).toEqual([]);
  });

  it("knows where ether went on from a stranger's contract", () => {
    const none = { trace: { source: "none", reason: "test" } } as const;
    const lookups = risk({ asked: all, read: all });
    const paid = caseOf({ transaction: { to: vault, value: "0x5" }, ...none });
    const answer = checked("ok", { summary: `${a} called ${shorten(vault)}, giving 0.000000000000000005 ETH.` }, [
      movedEther(alice, vault, 5n),
    ]);
    expect(lawsBroken({ ...paid, risk: lookups }, answer)).toEqual([8]);
    expect(lawsBroken({ ...paid, risk: lookups }, { ...answer, checks: checked("partial").checks })).toEqual([]);
    const empty = { ...lookups, verification: { [vault]: { ...lookups.verification[vault], code: "none" } } };
    expect(lawsBroken({ ...paid, risk: empty as RiskLookups }, answer)).toEqual([]);
  });

  it("has looked up spenders, and the account that got the proceeds", () => {
    const approval = { receipt: { logs: [approvalLog(usdc, alice, bob, 5n)] } };
    const file = { ...tracedCase([], approval), risk: risk({ asked: [vault], read: all }) };
    const allowed = { summary: `${a} allowed ${shorten(bob)} to spend 0.000005 USDC.` };
    expect(lawsBroken(file, checked("ok", allowed, []))).toEqual([8]);
    const logs = [transferLog(usdc, alice, bob, thousand), transferLog(weth, bob, carol, 5n)];
    const swapped = tracedCase([taking(vault, usdc, alice, bob, thousand)], { receipt: { logs } });
    expect(lawsBroken({ ...swapped, risk: risk({ asked: [vault, bob], read: all }) }, checked("ok"))).toEqual([8]);
    expect(lawsBroken({ ...swapped, risk: risk({ asked: all, read: all }) }, checked("ok"))).toEqual([]);
  });

  it("need not cover an account that gave only its own money, nor anything if there were no lookups", () => {
    const logs = [transferLog(token, vault, bob, 5n)];
    const own = tracedCase([frame(vault, token)], { receipt: { logs } });
    expect(lawsBroken({ ...own, risk: risk({}) }, checked("ok", {}, []))).toEqual([]);
    const { risk: _, ...bare } = passedOn(risk({}));
    expect(lawsBroken(bare, checked("ok"))).toEqual([]);
  });
});
