import { describe, expect, it } from "vitest";
import { nameRole } from "../../../src/engine/assess/examined/role.ts";
import { tellNotes } from "../../../src/engine/present/preview/preview-notes.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const numbered = (i: number) => toAddress(`0x${i.toString(16).padStart(40, "d")}`);

interface Parts {
  simulation?: object | null;
  status?: string;
  examined?: [role: string, code?: string, via?: string[]][];
  /** Answers of tokens: the number of the token, the calldata, and what it answered. */
  reads?: [token: number, data: string, result: string | null][];
}

function tell({ simulation = {}, status = "success", examined = [], reads = [] }: Parts) {
  const ran = { method: "debug_traceCall", priced: true, differs: false, unavailable: [], refusal: null };
  const verification = Object.fromEntries(
    examined.flatMap(([, code, via = []], i) => (code === undefined ? [] : [[numbered(i), { code, via }]])),
  );
  const file = {
    risk: { verification },
    reads: reads.map(([i, data, result]) => ({
      to: numbered(i),
      data,
      result,
      status: result === null ? "absent" : "found",
    })),
    ...(simulation !== null && { simulation: { ...ran, ...simulation } }),
  };
  const list = examined.map(([role], i) => ({ address: numbered(i), roles: [role, "called"] }));
  const admits = { kind: "set", addresses: new Set([numbered(1), numbered(2)]) };
  const notes = [
    { gate: admits, data: "0xaa", unless: 0n, says: "can be seized" },
    { gate: admits, data: "0xbb", unless: 1n, says: "is paused" },
  ];
  return tellNotes({ file, tx: { status, logs: [] }, examined: list, ruleset: { notes } } as never, teller);
}
const codes = (parts: Parts) => tell(parts).map(({ code }) => code);

describe("notes beside a preview", () => {
  it.each<[string, Parts, string[]]>([
    ["nothing happened otherwise", {}, ["can_change"]],
    ["it is none", { simulation: null }, []],
    ["a node would refuse it", { simulation: { refusal: "funds" } }, ["rejected", "can_change"]],
    ["another run ended differently", { simulation: { differs: true } }, ["simulations_differ", "can_change"]],
    ["there was no other run", { simulation: { differs: null } }, ["can_change"]],
    ["it reverted", { status: "reverted" }, ["simulation_reverted", "can_change"]],
    ["it had no price", { simulation: { priced: false } }, ["unpriced", "can_change"]],
    ["nobody ran it", { simulation: { method: "none", priced: false }, status: "reverted" }, ["not_simulated"]],
    [
      "methods were not there",
      {
        simulation: {
          unavailable: [
            { method: "a", reason: "missing" },
            { method: "b", reason: "failed" },
          ],
        },
      },
      ["method_missing", "method_failed", "can_change"],
    ],
    [
      "all of it",
      {
        ...{ simulation: { refusal: "funds", differs: true, priced: false }, status: "reverted" },
        examined: [["spender", "none", ["beacon"]]],
      },
      [
        ...["rejected", "simulations_differ", "simulation_reverted", "unpriced", "no_code", "upgradeable"],
        "can_change",
      ],
    ],
  ])("say that %s", (_case, parts, expected) => {
    expect(codes(parts)).toEqual(expected);
  });

  it.each(["spender", "operator", "delegate", "controller", "called", "recipient"])(
    "speak of what %s is by its role",
    (role) => {
      const entitled = role !== "called" && role !== "recipient";
      expect(codes({ examined: [[role, "none"]] })).toEqual([...(entitled ? ["no_code"] : []), "can_change"]);
      const replaced = entitled || role === "called";
      expect(codes({ examined: [[role, "contract", ["eip1967"]]] })).toEqual([
        ...(replaced ? ["upgradeable"] : []),
        "can_change",
      ]);
      expect(codes({ examined: [[role]] })).toEqual(["can_change"]);
    },
  );

  it.each([
    ["eip1967", true],
    ["beacon", true],
    ["eip1822", true],
    ["zeppelin", true],
    ["diamond", true],
    ["eip1167", false],
    ["eip7702", false],
    ["safe", false],
  ])("count a proxy of the kind %s as one whose code can be replaced: %j", (kind, expected) => {
    expect(codes({ examined: [["called", "contract", [kind]]] }).includes("upgradeable")).toBe(expected);
  });

  it("name the addresses that they mean, at most five of a kind", () => {
    const many = (count: number) => Array.from({ length: count }, () => ["spender", "none", ["beacon"]] as never);
    const told = tell({ examined: many(6) });
    const party = (i: number) => ({ party: nameRole("spender", numbered(i)) });
    expect(told.map(({ detail }) => detail)).toEqual([
      ...[0, 1, 2, 3, 4].map((i) => teller.tell(state("preview.note_no_code", party(i)))),
      ...[0, 1, 2, 3, 4].map((i) => teller.tell(state("preview.note_upgradeable", party(i)))),
      teller.words("preview.note_can_change"),
    ]);
    const [missing, failed, last] = tell({
      simulation: {
        method: "none",
        unavailable: [
          { method: "a", reason: "missing" },
          { method: "b", reason: "failed" },
        ],
      },
    });
    expect([missing?.detail, failed?.detail, last?.detail]).toEqual([
      teller.say("preview.note_missing", { method: "a" }).text,
      teller.say("preview.note_failed", { method: "b" }).text,
      teller.words("preview.unsimulated"),
    ]);
  });

  it("say what the answers of tokens mean, where they are no other contract's and not the usual ones", () => {
    const word = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
    const reads: Parts["reads"] = [
      ...([
        [1, "0xaa", word(9)],
        [1, "0xbb", word(1)],
        [2, "0xaa", word(0)],
        [2, "0xbb", word(0)],
      ] as const),
      ...([
        [3, "0xaa", word(9)],
        [1, "0xcc", word(9)],
        [2, "0xaa", "0x01"],
        [2, "0xaa", null],
      ] as const),
    ].map((read) => [...read]);
    expect(tell({ reads }).slice(0, -1)).toEqual([
      {
        code: "token_terms",
        detail: teller.tell(
          state("preview.note_token", { token: nameRole("token", numbered(1)), says: "can be seized" }),
        ),
      },
      {
        code: "token_terms",
        detail: teller.tell(state("preview.note_token", { token: nameRole("token", numbered(2)), says: "is paused" })),
      },
    ]);
  });
});
