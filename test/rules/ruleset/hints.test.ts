import { describe, expect, it } from "vitest";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const pool = ["0xa238dd80c259a72e81d7e4664a9801593f98d1c5", "0x6cb442acf35158d5eda88fe602221b67b400be3e"];
const factory = "0x420dd381b31aef6683db6b902084cb0ffece40da";
const items = `abi:
  Paid: "event Paid(address indexed who, address token, uint256 amount, uint256 cost, bool ok)"
  Bill: "event Bill((address token, uint256[] sums) bill)"
  Short: "event Short(address owner, address token, address spender, uint96 amount, uint48 until)"
  lend: "function lend(address owner, address to, address token, uint256 amount, bool on, uint40 until, Lot[] lots, (address to, uint8 kind) lot, address[] whom)"
`.replace("Lot[]", "(address spender, (address token, uint160 amount) sum)[]");

function compile(rest: string) {
  const text = marketFile(rest).replace("abi:\n", items);
  const { ruleset, files, diagnostics } = compileTexts({ market: text });
  return { ruleset, files, found: diagnostics.map((one) => `${placeOf(one).split(" ")[0]}: ${one.message}`) };
}

/** The hints in a file besides its rules. The file must have no mistake. */
function hintsOf(rest: string) {
  const { ruleset, found } = compile(rest);
  expect(found).toEqual([]);
  return ruleset;
}

const set = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) });

describe("hints of a file", () => {
  it("are nothing where it says nothing", () => {
    const { subjects, signers, accounts, fees, grants, failures } = hintsOf("");
    expect({ subjects, signers, accounts, fees, grants, failures }).toEqual({
      ...{
        subjects: [],
        signers: [],
        accounts: { makers: [], code: new Set(), acts: new Set() },
        fees: [],
        failures: [],
      },
      grants: { events: new Map(), calls: new Map(), unlimited: new Set() },
    });
  });

  it("name subjects and signers by an argument of an event", () => {
    const { subjects, signers } = hintsOf(
      "subjects: [{ event: Moved, at: pool, subject: to }]\nsigners: [{ event: Paid, at: factory, signer: token }]\n",
    );
    expect(subjects).toMatchObject([{ event: { name: "Moved" }, gate: set(...pool), argument: [1] }]);
    expect(signers).toMatchObject([{ event: { name: "Paid" }, gate: set(factory), argument: [1] }]);
    expect([subjects.length, signers.length]).toEqual([1, 1]);
  });

  it("name accounts by who makes them, by the code that they run, or by what they write", () => {
    const { accounts } = hintsOf(
      "accounts: [{ event: Moved, at: pool, created: to }, { at: pool }, { at: factory }, { at: made }, { event: Paid, at: any }]\n",
    );
    expect(accounts.makers).toMatchObject([{ event: { name: "Moved" }, gate: set(...pool), argument: [1] }]);
    expect(accounts.makers).toHaveLength(1);
    expect(accounts.code).toEqual(new Set([...pool, factory]));
    expect([...accounts.acts]).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
  });

  it("name fees by who got them, or by token and amount", () => {
    const { fees } = hintsOf(
      "fees: [{ event: Paid, at: pool, from: who, to: token }, { event: Paid, at: any, from: who, token: token, amount: amount, cost: cost }]\n",
    );
    expect(fees.map(({ event: _, ...rest }) => rest)).toEqual([
      { gate: set(...pool), from: 0, to: 1, token: null, amount: null, cost: null },
      { gate: { kind: "any" }, from: 0, to: null, token: 1, amount: 2, cost: 3 },
    ]);
  });

  it("say what a service cost, in ether or a token, as a number or a list of numbers", () => {
    const { fees, charges } = hintsOf(
      "fees: [{ event: Paid, at: pool, paid: cost }, { event: Bill, at: pool, paid: bill.sums, token: bill.token }]\n",
    );
    expect(fees).toEqual([]);
    expect(charges.map(({ event: _, ...rest }) => rest)).toEqual([
      { contracts: new Set(pool), amount: [3], token: null },
      { contracts: new Set(pool), amount: [0, 1], token: [0, 0] },
    ]);
  });

  it("name failures by the account, or by the emitter", () => {
    const { failures } = hintsOf(
      'failures: [{ event: Paid, at: pool, account: who, success: ok, what: "a call of {account}" }, { event: Paid, account: emitter, what: "something failed" }]\n',
    );
    expect(failures.map(({ event: _, what, ...rest }) => ({ ...rest, what: what.text }))).toEqual([
      { contracts: new Set(pool), account: 0, success: 4, reason: null, what: "a call of {account}" },
      { contracts: null, account: null, success: null, reason: null, what: "something failed" },
    ]);
  });

  it("name grants that an event reports, with the largest numbers of narrow types", () => {
    const { grants } = hintsOf(
      `rights: [{ event: Short, at: pool, owner: owner, token: token, spender: spender, amount: amount, until: until }, { event: Paid, at: factory, owner: who, token: token, spender: token, amount: amount }]\n`,
    );
    const [[short] = [], [paid] = []] = [...grants.events.values()];
    expect(short).toMatchObject({
      ...{ protocol: "Market", contracts: new Set(pool), owner: [0], token: [1], spender: [2], amount: [3] },
      ...{ until: [4], key: null, unlimited: (1n << 96n) - 1n, never: (1n << 48n) - 1n },
    });
    expect(paid).toMatchObject({ amount: [2], until: null, unlimited: null, never: null });
    expect(grants.unlimited).toEqual(new Set([(1n << 96n) - 1n]));
  });

  it("name grants by the protocol's id where it has no name", () => {
    const grant = `rights: [{ event: Paid, at: pool, owner: who, token: token, spender: token }]\n`;
    const text = marketFile(grant).replace("abi:\n", items).replace("name: Market\n", "");
    const { grants } = compileTexts({ market: text }).ruleset;
    expect([...grants.events.values()].flat().map(({ protocol }) => protocol)).toEqual(["market"]);
  });

  it("name grants that a call gives, once or for each element of a list", () => {
    const { grants } = hintsOf(
      `rights: [{ call: lend, at: pool, owner: owner, spender: to, token: token, amount: amount, given: on, until: until }, { call: lend, spender: lot.to }, { call: lend, each: lots, spender: item.spender, token: item.sum.token, amount: item.sum.amount, owner: owner }]\n`,
    );
    const calls = [...grants.calls.values()].flat().map(({ call: _, ...rest }) => rest);
    const at = (...path: number[]) => ({ path, ofItem: false });
    const none = {
      owner: null,
      amount: null,
      given: null,
      token: null,
      until: null,
      each: null,
      contracts: null,
      key: null,
    };
    expect(calls).toEqual([
      {
        ...{ contracts: new Set(pool), each: null, owner: at(0), spender: at(1), token: at(2), amount: at(3) },
        ...{ given: at(4), until: at(5), key: null },
      },
      { ...none, spender: at(7, 0) },
      {
        ...{ ...none, each: [6], owner: at(0), spender: { path: [0], ofItem: true } },
        ...{ token: { path: [1, 0], ofItem: true }, amount: { path: [1, 1], ofItem: true } },
      },
    ]);
  });
});

describe("mistakes in hints are told, and the entry is left out", () => {
  const notAddress = (name: string, event = "Paid") =>
    `\`${name}\` is not an address among the arguments of \`${event}\``;
  it.each<[string, string[]]>([
    ["signers: [{ event: Paid, at: pool, signer: amount }]", [notAddress("amount")]],
    ["signers: [{ event: Paidd, at: pool, signer: who }]", ["`Paidd` is not in this file's abi"]],
    ["subjects: [{ event: lend, at: pool, subject: who }]", ["`lend` is a function, an event was expected"]],
    ["accounts: [{ event: Paid, at: pool, created: ok }]", [notAddress("ok")]],
    ["accounts: [{ event: Paidd, at: pool }]", ["`Paidd` is not in this file's abi"]],
    ["rights: [{ event: Paid, at: pool, owner: who, token: token, spender: ok }]", [notAddress("ok")]],
    ["rights: [{ event: Paid, at: pool, owner: who, token: ok, spender: who }]", [notAddress("ok")]],
    ["rights: [{ event: Paid, at: pool, owner: ok, token: who, spender: who }]", [notAddress("ok")]],
    [
      "rights: [{ event: Paid, at: pool, owner: who, token: who, spender: who, amount: who }]",
      ["`who` is not an integer among the arguments of `Paid`"],
    ],
    [
      "rights: [{ event: Paid, at: pool, owner: who, token: who, spender: who, until: who }]",
      ["`who` is not an integer among the arguments of `Paid`"],
    ],
    ...["owner", "token"].map((field): [string, string[]] => [
      `rights: [{ call: lend, spender: to, ${field}: on }]`,
      [notAddress("on", "lend")],
    ]),
    ...["amount", "until"].map((field): [string, string[]] => [
      `rights: [{ call: lend, spender: to, ${field}: on }]`,
      ["`on` is not an integer among the arguments of `lend`"],
    ]),
    ["rights: [{ call: lend, spender: to, given: to }]", ["`to` is not true or false among the arguments of `lend`"]],
    [
      "rights: [{ call: lnd, at: nobody, spender: to }]",
      ["`lnd` is not in this file's abi", "`nobody` is no contract role or member of this file"],
    ],
    ['failures: [{ event: Paid, account: ok, what: "something failed" }]', [notAddress("ok")]],
    ['failures: [{ event: Paidd, account: who, what: "something failed" }]', ["`Paidd` is not in this file's abi"]],
    [
      "rights: [{ event: Paidd, at: pool, owner: who, token: who, spender: who }]",
      ["`Paidd` is not in this file's abi"],
    ],
    ["rights: [{ call: lnd, spender: to }]", ["`lnd` is not in this file's abi"]],
    ["rights: [{ call: lend, each: whom, spender: item.who }]", ["`item` is not among the arguments of `lend`"]],
    ["accounts: [{ at: nobody }]", ["`nobody` is no contract role or member of this file"]],
    ["fees: [{ event: Paid, at: pool, from: ok, to: who }]", [notAddress("ok")]],
    ["fees: [{ event: Paid, at: pool, from: who, to: ok }]", [notAddress("ok")]],
    ["fees: [{ event: Paid, at: pool, from: who, token: ok, amount: amount }]", [notAddress("ok")]],
    [
      "fees: [{ event: Paid, at: pool, from: who, to: token, cost: ok }]",
      ["`ok` is not an integer among the arguments of `Paid`"],
    ],
    [
      "fees: [{ event: Paid, at: pool, from: who, token: token, amount: ok }]",
      ["`ok` is not an integer among the arguments of `Paid`"],
    ],
    [
      "fees: [{ event: Paid, at: pool, from: who, amount: amount }]",
      ["a fee names `paid`, or `from` with `to`, or `from` with `token` and `amount`"],
    ],
    ["fees: [{ event: Paid, at: pool, paid: ok }]", ["`paid` names a number or a list of numbers"]],
    ["fees: [{ event: Paid, at: pool, paid: price }]", ["`price` is not among the arguments of `Paid`"]],
    ["fees: [{ event: Paid, at: pool, paid: cost, token: ok }]", [notAddress("ok")]],
    ["fees: [{ event: Paid, at: any, paid: cost }]", ["contract roles of this file are expected here"]],
    ["fees: [{ event: Paid, at: made, paid: cost }]", ["contract roles of this file are expected here"]],
    [
      "failures: [{ event: Paid, at: made, account: who, what: something failed }]",
      ["contract roles of this file are expected here"],
    ],
    [
      "failures: [{ event: Paid, account: who, success: amount, what: '{who} and {account}' }]",
      ["`amount` is not true or false among the arguments of `Paid`", "`{who}` has no value here; `{account}` has"],
    ],
    [
      "rights: [{ event: Short, at: any, owner: owner, token: token, spender: spender }]",
      ["only known contracts report a grant of their own"],
    ],
    [
      "rights: [{ event: Short, at: pool, owner: amount, token: until, spender: amount, amount: owner, until: token }]",
      [
        ...["amount", "until", "amount"].map((name) => notAddress(name, "Short")),
        ...["owner", "token"].map((name) => `\`${name}\` is not an integer among the arguments of \`Short\``),
      ],
    ],
    [
      "rights: [{ call: lend, each: owner, spender: item.to }]",
      ["`owner` is not a list among the arguments of `lend`"],
    ],
    ["rights: [{ call: lend, each: lots, spender: item.sum.tokn }]", ["`tokn` is not among the arguments of `lend`"]],
    ["rights: [{ call: lend, spender: item.spender }]", ["`item` is not among the arguments of `lend`"]],
    ["rights: [{ call: lend, spender: to.x }]", ["`x` is not among the arguments of `lend`"]],
    [
      "rights: [{ call: lend, spender: amount, owner: on, token: until, amount: to, given: to, until: to }]",
      [
        ...[notAddress("on", "lend"), notAddress("amount", "lend"), notAddress("until", "lend")],
        "`to` is not an integer among the arguments of `lend`",
        "`to` is not true or false among the arguments of `lend`",
        "`to` is not an integer among the arguments of `lend`",
      ],
    ],
    ["rights: [{ call: lend, at: made, spender: to }]", ["contract roles of this file are expected here"]],
  ])("%s", (rest, messages) => {
    const { files, found } = compile(`${rest}\n`);
    expect(found.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual(messages);
    const kept = files.flatMap(({ subjects, signers, accounts, fees, charges, grants, failures }) => [
      ...[
        ...subjects,
        ...signers,
        ...accounts.makers,
        ...accounts.code,
        ...accounts.acts,
        ...fees,
        ...charges,
        ...failures,
      ],
      ...[...grants.events, ...grants.calls],
    ]);
    expect([files.length, kept]).toEqual([1, []]);
  });
});
