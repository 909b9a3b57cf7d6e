import { describe, expect, it } from "vitest";
import { absorbedLogs } from "../../../src/engine/settle/claimed.ts";
import { logAt } from "../../support/candidate.ts";
import { alice, bob, calldata, caseOf, vault } from "../../support/case-of.ts";
import { compileOwn, runStages, standing } from "../../support/own-rules.ts";
import { didLog, head } from "./hub-rules.ts";
import { candidate } from "./order-case.ts";

describe("the logs that an act absorbs", () => {
  it("are logs of admitted emitters, of the events that the rule absorbs", () => {
    const logs = [
      logAt(vault, ["0xa"], { index: 0 }),
      logAt(bob, ["0xa"], { index: 1 }),
      logAt(vault, ["0xb"], { index: 2 }),
      logAt(bob, ["0xb"], { index: 3 }),
    ];
    const one = candidate("one", {
      rule: {
        absorbs: [
          { event: { hash: "0xa" }, gate: [vault] },
          { event: { hash: "0xb" }, gate: [bob] },
        ] as never,
      },
      context: { logsWith: (topic) => logs.filter(({ topics }) => topics[0] === topic) },
    });
    expect(absorbedLogs(one)).toEqual([0, 3]);
    expect(absorbedLogs(candidate("none"))).toEqual([]);
  });
});

describe("what stands", () => {
  it("an act claims absorbed logs, so no other act tells them", () => {
    const rules = (absorbs: string) =>
      compileOwn(`${head("hub")}
  - { id: supply, action: lending_supply, anchor: { call: act${absorbs} }, at: hub, say: "supply" }
  - { id: swap, action: swap, anchor: { event: Did }, at: hub, subject: who, say: "swap" }`);
    const input = calldata("function act(uint256 amount)", [5n]);
    const file = caseOf({ receipt: { logs: [didLog(alice)] }, transaction: { input } });
    expect(standing(rules(""), file)).toEqual(["hub/supply", "hub/swap"]);
    const { actions, superseded } = runStages(file, rules(", absorbs: [Did]")).settled;
    expect(actions.map(({ rule }) => rule.id)).toEqual(["hub/supply"]);
    expect(superseded).toEqual([{ rule: "hub/swap", by: "hub/supply", reason: "log 0 is claimed" }]);
  });
});
