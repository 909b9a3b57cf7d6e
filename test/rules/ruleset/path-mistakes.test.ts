import { describe, expect, it } from "vitest";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { compilePath, PathMistake, type PathScope } from "../../../src/rules/ruleset/compile/paths/path.ts";
import { authorHelp } from "../../../src/rules/ruleset/document/author-help.ts";
import { scope } from "./path-scope.ts";

const mixed = new Map(
  ["address", "uint256"].map((type) => [type, parseSignature(`function f(${type} value)`)] as const),
);

describe("a path is refused", () => {
  it.each<[string, Partial<PathScope>, RegExp, string | undefined]>([
    ["args.wo", {}, /no `wo`/, "who"],
    ["args.orders.x", {}, /indexes an array with `x`/, undefined],
    ["args.orders.(args.who)", {}, /indexes an array with `args.who`/, undefined],
    ["args.orders.(args.wo)", {}, /no `wo`/, "who"],
    ["args.orders.()", {}, /indexes an array with `\(\)`/, undefined],
    ["args.orders.(args.amount", {}, /indexes an array with `\(args`/, undefined],
    ["args.(args.amount)", {}, /no `\(args.amount\)`/, undefined],
    ["args.orders.0.tokn", {}, /no `tokn`/, "token"],
    ["args.amount.address.x", {}, /no parts/, undefined],
    ["args.who.length", {}, /no parts/, undefined],
    ["args.data.addressAt", {}, /no parts/, undefined],
    ["args.data.addressAt.1.2", {}, /asks `addressAt.1.2` of a value that has no parts/, undefined],
    ["args.data.uintAt.1.2.3", {}, /asks `uintAt.1.2.3` of a value that has no parts/, undefined],
    ["args.data.length.0", {}, /asks `length.0` of a value that has no parts/, undefined],
    ["args.data.bytesAt.1", {}, /no parts/, undefined],
    ["call.data.first", {}, /asks `first` of a value that has no parts/, undefined],
    ["call.data.bytesAt.0.4", { anchor: "sign" }, /cannot be read here/, undefined],
    ["args.data.uintAt.1", {}, /no parts/, undefined],
    ["args.data.as.snd.to", {}, /`snd` is no function of abi/, "send"],
    ["args.data.as.paid.owner", {}, /`paid` is no function of abi/, undefined],
    ["args.data.as.send.tu", {}, /no `tu`/, "to"],
    ["args.data.as.any.nobody", {}, /no function of abi has `nobody`/, undefined],
    ["args.data.as.any.to.x", {}, /no parts/, undefined],
    ["args.data.as.any", {}, /no function of abi has ``/, undefined],
    ["args.word.as.send.to", {}, /no parts/, undefined],
    ["args.data.as.send.to", { abi: undefined }, /`send` is no function of abi/, undefined],
    ["args.data.as.any.value", { abi: mixed }, /different types in different functions/, undefined],
    ["args.who", { args: null }, /needs a decoded anchor/, undefined],
    ["input.note", { input: null }, /call beside the event/, undefined],
    ["emitter", { anchor: "call" }, /needs an event anchor/, undefined],
    ["move.amount", {}, /needs a transfer anchor/, undefined],
    ["legs.paid.sum", {}, /no field of a movement/, undefined],
    ["legs.piad.amount", {}, /names no leg/, "paid"],
    ["contracts.pol", {}, /no contract role/, "pool"],
    ["contracts.pool.0", {}, /no contract role/, "pool"],
    ["count.F", {}, /names no event/, "E"],
    ["flow.gvien", {}, /names nothing/, "flow.given"],
    ["amount", {}, /names nothing/, "args.amount"],
    ["item.x", {}, /names nothing/, undefined],
    ["", {}, /names nothing/, undefined],
    ["call.data", { anchor: "unwrap" }, /cannot be read here/, undefined],
    ["constructor", {}, /names nothing/, undefined],
    ["legs.paid.constructor", {}, /no field of a movement/, undefined],
    ["args.__proto__", {}, /names nothing/, undefined],
    ["tx.from", { anchor: "sign" }, /^`tx.from` cannot be read here$/, undefined],
    ["legs.paid.amount", { anchor: "sign" }, /^`legs.paid.amount` cannot be read here$/, undefined],
    ["domain.name", {}, /^`domain.name` cannot be read here$/, undefined],
    ["call.logs", { anchor: "unwrap" }, /^`call.logs` cannot be read here$/, undefined],
    ["args.n", { args: null }, /^`args.n` needs a decoded anchor$/, undefined],
    ["input.note", { input: null }, /^`input.note` needs a decoded call beside the event$/, undefined],
    ["delegate", {}, /^`delegate` needs an authorization anchor$/, undefined],
    ["move.amount.x", { anchor: "transfer" }, /^`move.amount.x` names no field of a movement$/, "amount"],
    ["move.amont", { anchor: "transfer" }, /^`move.amont` names no field of a movement$/, "amount"],
    ["legs.paid", {}, /^`legs.paid` names no field of a movement$/, "id"],
    ["count.E", { count: undefined as never }, /^`count.E` names nothing$/, undefined],
    [
      "USDC",
      {},
      /^`USDC` names nothing; a token is told by a path, by `native` or by its address in quotes$/,
      undefined,
    ],
    ["item", {}, /^`item` names nothing$/, undefined],
    [
      "args.word.addressAt.x",
      {},
      /^`args.word.addressAt.x` asks `addressAt.x` of a value that has no parts$/,
      undefined,
    ],
    ["args.word.uintAt.1.x", {}, /asks `uintAt.1.x` of a value/, undefined],
    ["args.who.addressAt.1", {}, /asks `addressAt.1` of a value/, undefined],
    ["args.data.address", {}, /asks `address` of a value/, undefined],
    ["args.who.address", {}, /asks `address` of a value/, undefined],
    ["args.packed.length", {}, /asks `length` of a value/, undefined],
  ])("%s %j", (path, parts, message, suggestion) => {
    let error: unknown;
    try {
      compilePath(path, { ...scope, ...parts });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(PathMistake);
    expect(authorHelp.say((error as PathMistake).message)).toMatch(message);
    const { word, known } = (error as PathMistake).mistyped;
    expect(authorHelp.closest(word, known)).toBe(suggestion);
  });
});
