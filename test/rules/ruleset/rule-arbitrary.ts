import fc, { type Arbitrary } from "fast-check";

/** Rule files of a market, as authors write them: most names fit, some name nothing, two things, or something of another type. */
export const contracts = { pool: { "The Pool": "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" } };
export const abi = {
  Moved: "event Moved(address indexed from, address indexed to, uint256 amount, uint256 target)",
  move: "function move(address to, uint256 size, bytes data, address[] path)",
  Vote: "message Vote(address voter, uint256 amount)",
};

const name = fc.constantFrom(
  ...["from", "to", "amount", "size", "data", "path.0", "path.length", "target", "args.target", "paid", "paid.token"],
  ...[
    "emitter",
    "call.to",
    "subject",
    "native",
    "contracts.pool",
    "amount/size",
    "to/nothing",
    "nothing",
    "legs.paid.to",
  ],
);
const expression: Arbitrary<string> = fc.oneof(
  name,
  fc.tuple(name, name).map(([amount, token]) => `${amount} of ${token}`),
  fc
    .tuple(name, fc.constantFrom("id", "count", "token", "time", "other", "hash", "nothing"))
    .map((both) => both.join(" as ")),
);
const words = fc.constantFrom("move", "move it", "<swap> it", "(a Safe) move", "}{", "[", "]|[");
const sentence = fc
  .tuple(words, fc.array(fc.tuple(expression, fc.boolean()), { maxLength: 3 }))
  .map(([first, values]) => first + values.map(([one, left]) => (left ? `[ for {${one}}]` : ` {${one}}`)).join(""));

const side = fc.oneof(
  name.map((path): unknown => ({ var: path })),
  fc.constantFrom<unknown>("0", "-1", "max", "zero", "pool", "amount", true, 7),
);
const operator = fc.constantFrom("==", "!=", ">", "<=", "in", "starts", "uint_gt", "constructor", "like");
const logic = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    name.map((path) => ({ var: path })),
    name.map((path) => ({ not_subject: path })),
    fc.tuple(operator, fc.array(side, { maxLength: 3 })).map(([sign, sides]) => ({ [sign]: sides })),
    fc.array(tie("any"), { maxLength: 2 }).map((parts) => ({ and: parts })),
    tie("any").map((part) => ({ "!": part })),
    fc.tuple(operator, operator, side).map(([one, other, path]) => ({ [one]: [path, "1"], [other]: [path, "2"] })),
  ),
})).any;

const item = fc.constantFrom("Moved", "move", "Vote", "Nothing");
const leg = fc.record(
  { token: name, from: name, to: fc.oneof(name, fc.constant("pool")), amount: name },
  { requiredKeys: [] },
);
const parts: Record<string, Arbitrary<unknown>> = {
  anchor: fc.oneof(
    fc.record(
      { event: item, within: item, call: item, absorbs: fc.array(item, { maxLength: 2 }) },
      { requiredKeys: ["event"] },
    ),
    fc.record({ call: fc.oneof(item, fc.constantFrom("any", "plain")) }),
    fc.constantFrom({ transfer: { to: "pool" } }, { authorization: "set" }, {}),
  ),
  at: fc.constantFrom("pool", "any", "moved", "nowhere", ["pool", "nowhere"]),
  subject: fc.oneof(name, fc.constant("anyone"), fc.record({ for: name, by: words }, { requiredKeys: [] })),
  money: fc.record({ paid: leg, to: leg, gives: words, rest: fc.constant("any") }, { requiredKeys: [] }),
  when: logic,
  say: sentence,
  values: fc.dictionary(fc.constantFrom("told", "paid", "amount"), fc.oneof(expression, fc.record({ enum: name })), {
    maxKeys: 2,
  }),
  tried: fc.oneof(
    fc.constantFrom("move", "same", "any", "none", "nothing"),
    fc.array(fc.record({ call: item, say: sentence, when: logic, for: name }, { requiredKeys: ["call"] }), {
      maxLength: 2,
    }),
  ),
  also: fc.record({ carries: fc.record({ from: name, to: name, data: name }) }, { requiredKeys: [] }),
  before: fc.constantFrom(["b"], "none"),
  after: fc.constantFrom("others", "everything", "none"),
  like: fc.constantFrom("a", "b", "nothing"),
};
const usual = { anchor: { event: "Moved" }, at: "pool", say: "move it" };
const rule = (id: string) =>
  fc
    .record(parts, { requiredKeys: [] })
    .map((said): Record<string, unknown> => ({ id, action: "stake", ...usual, ...said }));

/** With three rules, of which the second and third may be like the first. */
export const marketFiles: Arbitrary<Record<string, unknown>> = fc
  .tuple(rule("a"), rule("b"), rule("c"), fc.dictionary(fc.constantFrom("told", "shared"), expression, { maxKeys: 1 }))
  .map(([{ like: _, ...first }, second, third, values]) => ({
    ...{ protocol: "market", name: "Market", kind: "protocol", source: "example book", contracts, abi },
    ...(Object.keys(values).length > 0 && { values }),
    rules: [first, second, third],
  }));
