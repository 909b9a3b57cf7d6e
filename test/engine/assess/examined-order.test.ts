import { describe, expect, it } from "vitest";
import { judgeOperators } from "../../../src/engine/assess/assess.ts";
import { examine } from "../../../src/engine/assess/examined/examine.ts";
import { findGrants, type Grant } from "../../../src/engine/assess/grants/grants.ts";
import type { SignedPowers, SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import {
  actOf,
  alice,
  approval,
  approvalForAll,
  approveCall,
  caseOf,
  nftTransfer,
  permit2,
  router,
  someone,
  spender,
  token,
  transfer,
  usdc,
} from "./scene.ts";

const [bob, operator, collection] = [someone("bob"), someone("operator"), someone("collection")];
const [called, sent, quiet] = [someone("second"), someone("third"), someone("coin")];
const call = (to: Address, parts: Partial<ActorCall> = {}): ActorCall => ({
  ...{ id: 0, parent: -1, via: null, step: null, from: alice, actor: alice, to, value: 0n },
  ...{ input: approveCall(spender, 7n), delegate: false, state: "executed", frame: 0, ...parts },
});
const act = (logs: RpcLog[], parts: Partial<SubjectAct> = {}): SubjectAct => ({ ...actOf(caseOf({ logs })), ...parts });

describe("grants", () => {
  const give = (of: Address, owner = alice) => approval(of, owner, spender, 7n);
  const order = (logs: RpcLog[], parts: Partial<SubjectAct>) =>
    findGrants(act(logs, parts)).map((grant) => [grant.token, grant.owner]);

  const took = transfer(sent, alice, router, 1n);
  it.each<[string, RpcLog[], [Address, Address][]]>([
    ["one", [give(quiet)], [[quiet, alice]]],
    ["listed tokens first", [give(quiet), give(usdc)], [usdc, quiet].map((of) => [of, alice])],
    ["own ones before others'", [give(usdc, bob), give(usdc)], [alice, bob].map((owner) => [usdc, owner])],
    [
      "listed tokens of others first",
      [give(called), give(usdc, bob)],
      [
        [usdc, bob],
        [called, alice],
      ],
    ],
    ["what was called first", [give(quiet), give(called)], [called, quiet].map((of) => [of, alice])],
    ["what was sent first", [took, give(quiet), give(sent), give(usdc)], [usdc, sent, quiet].map((of) => [of, alice])],
    ["what a spend may have left last", [give(sent), took, give(quiet)], [quiet, sent].map((of) => [of, alice])],
    [
      "and where the token called others between",
      [give(sent), give(quiet), took],
      [quiet, sent].map((of) => [of, alice]),
    ],
    ["else in the order of the logs", [give(quiet), give(token)], [quiet, token].map((of) => [of, alice])],
  ])("are in order: %s", (_what, logs, expected) => {
    expect(order(logs, { calls: [call(called)], principals: new Set([alice, bob]) })).toEqual(expected);
  });

  it("are of principals alone, and of others than the subject only where somebody we know says so", () => {
    expect(order([give(usdc, bob), give(quiet, bob)], {})).toEqual([]);
    expect(order([give(usdc, bob), give(quiet, bob)], { principals: new Set([alice, bob]) })).toEqual([[usdc, bob]]);
  });
});

describe("a right over all NFTs", () => {
  const given = { ...caseOf({ logs: [approvalForAll(collection, alice, operator, true)] }) };
  const grant: Grant = {
    ...{ owner: alice, kind: "operator", manager: null, token: collection, grantee: operator, amount: null },
    ...{ stands: true, uncertain: false, expiration: null, basis: "call", logs: [3, 4] },
  };
  const judged = (
    parts: Partial<Grant> = {},
    logs: RpcLog[] = [],
    more: (one: SubjectAct) => SubjectAct = (one) => one,
  ) =>
    judgeOperators([{ ...grant, ...parts }], more(act(logs))).map(({ flag, basis, evidence, address, role }) => [
      ...[flag, basis, evidence],
      ...[address === (parts.grantee ?? operator), role],
    ]);
  const shown = [["log 3", "log 4"], true, "operator"];
  const requested = (one: SubjectAct): SubjectAct => ({ ...one, tx: { ...one.tx, mode: "requested" } });
  const answering = (standard: string | null) => (one: SubjectAct) =>
    ({ ...one, file: { ...given, tokens: { [collection]: { standard } } } }) as unknown as SubjectAct;

  it.each<[string, unknown[], unknown[]]>([
    ["is not proven where nothing shows a collection", judged(), [null, "unproven_emitter", ...shown]],
    [
      "is proven where one of its NFTs moved",
      judged({}, [nftTransfer(collection, alice, bob, 0n)]),
      ["approval_for_all", "unknown_operator", ...shown],
    ],
    [
      "is not proven by NFTs of another",
      judged({}, [nftTransfer(token, alice, bob, 1n), transfer(collection, alice, bob, 1n)]),
      [null, "unproven_emitter", ...shown],
    ],
    [
      "is proven by what it answers",
      judged({}, [], answering("erc721")),
      ["approval_for_all", "unknown_operator", ...shown],
    ],
    ["is not proven by no answer", judged({}, [], answering(null)), [null, "unproven_emitter", ...shown]],
    ["counts before it is signed", judged({}, [], requested), ["approval_for_all", "unknown_operator", ...shown]],
    [
      "may be of somebody with a name",
      judged({ grantee: permit2 }, [], requested),
      ["approval_for_all", "labelled_operator", ...shown],
    ],
    ["may be taken back", judged({ stands: false }, [], requested), [null, "revoked_in_tx", ...shown]],
  ])("%s", (_what, found, expected) => expect(found).toEqual([expected]));

  it("is no right of another kind", () => {
    for (const kind of ["erc20", "nft", "managed"] as const) expect(judged({ kind }, [], requested)).toEqual([]);
  });
});

describe("accounts that are examined for a signature", () => {
  const signed = (parts: Partial<SignedPowers>) => {
    const powers = { grants: [], recipients: [], powers: [], verifier: null, ...parts };
    const { addresses, withCode } = examine(act([], { signed: powers }));
    return {
      found: addresses.map(({ address, roles, dealt, account }) => [address, roles, dealt, account === alice]),
      coded: withCode.map(({ address }) => address),
    };
  };

  it("do not exist if it gives nothing", () => expect(signed({})).toEqual({ found: [], coded: [] }));

  it("are those that get power, those that get money, and the contract that checks it, in this order", () => {
    expect(signed({ verifier: router, recipients: [bob, token], powers: [operator, collection] })).toEqual({
      found: [
        [operator, ["delegate"], true, true],
        [collection, ["delegate"], true, true],
        [bob, ["recipient"], true, true],
        [token, ["recipient"], true, true],
        [router, ["verifier"], true, true],
      ],
      coded: [operator, collection, bob, token, router],
    });
  });

  it.each([usdc, permit2])("is a contract that we know in the lists alone: %s", (verifier) => {
    expect(signed({ verifier })).toEqual({ found: [[verifier, ["verifier"], false, true]], coded: [] });
  });
});

describe("accounts that got many assets", () => {
  /** Listed tokens whose worth is not known. */
  const others = [
    "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22",
    "0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452",
    "0x940181a94a35a4569e4529a3cdfb74e38fd98631",
    "0x4ed4e862860bed51a9570b96d89af5e1b0efefed",
  ].map((address) => toAddress(address));
  const dust = (amount: bigint) => others.map((of, i) => transfer(of, alice, someone(`dusted ${i}`), amount));

  it("stands first where that counts most", () => {
    const theft = transfer(usdc, alice, bob, 5_000_000_000n);
    const first = (logs: RpcLog[]) => examine(act(logs)).addresses[0]?.address;
    expect([first([...dust(5n), theft]), first([...dust(10n ** 18n), theft])]).toEqual([bob, bob]);
    // Few are examined whatever they got.
    expect(first([...dust(5n).slice(0, 2), theft])).toBe(someone("dusted 0"));
  });
});
