/** Sentences apart from compiling: a program with compiled rules does not load them (see AuthorHelp). */
export const mistakes = {
  // Names.
  badChecksum: (text: unknown) => `\`${text}\` has a wrong EIP-55 checksum`,
  noContractRole: () => "is no contract role of this file",
  noRoleOrMember: () => "is no contract role or member of this file",
  notInAbi: () => "is not in this file's abi",
  notNamed: () => "names nothing",
  noTable: () => "names no table of this file",
  noStepTable: () => "is no table of this file's steps",
  roleOfAddress: () => "an address stands here; a role was expected, under which `contracts` lists the address",
  signedOnly: (name: string) => `\`${name}\` is a message, which only rules under \`messages\` take`,
  wrongItem: (name: string, kind: string, wanted: string) =>
    `\`${name}\` is ${kind === "event" ? "an" : "a"} ${kind}, ${wanted} was expected`,
  wrongArgument: (item: string, kind?: string) =>
    `is not${kind === undefined ? "" : ` ${kindWords.get(kind) ?? kind}`} among the arguments of \`${item}\``,
  wrongType: (path: string, type: string, wanted: readonly string[]) =>
    `\`${path}\` is ${type}, ${wanted.join(" or ")} was expected`,

  // Paths.
  unreadable: (path: string) => `\`${path}\` cannot be read here`,
  needs: (path: string, what: string) => `\`${path}\` needs ${what}`,
  noRolePath: (path: string) => `\`${path}\` names no contract role`,
  noPath(path: string) {
    const isSymbol = /^[A-Z][A-Z0-9.]+$/.test(path);
    return `\`${path}\` names nothing${isSymbol ? "; a token is told by a path, by `native` or by its address in quotes" : ""}`;
  },
  noEventOf: (path: string) => `\`${path}\` names no event`,
  textCause: () => "a text has no arguments, so that only words can say what it means",
  oneWord: (name: string) => `\`${name}\` is asked with one argument of one word; another function was expected`,
  noManyLeg: (path: string) => `\`${path}\` names no leg with \`many\``,
  noValueInPhrase: () => "is no value of this phrase",
  noMovementField: (path: string) => `\`${path}\` names no field of a movement`,
  noLeg: (path: string) => `\`${path}\` names no leg`,
  noMember(path: string, part: string, names: readonly string[]) {
    const among = names.length === 0 ? "" : ` among ${names.join(", ")}`;
    return `\`${path}\` names nothing: there is no \`${part}\`${among}`;
  },
  noParts: (path: string, parts: readonly string[]) =>
    `\`${path}\` asks \`${parts.join(".")}\` of a value that has no parts`,
  noFunction: (path: string, name: string) => `\`${path}\` names nothing: \`${name}\` is no function of abi`,
  noFunctionWith: (path: string, argument: string) =>
    `\`${path}\` names nothing: no function of abi has \`${argument}\``,
  differentTypes: (path: string) => `\`${path}\` has different types in different functions`,
  badIndex: (path: string, index: string) => `\`${path}\` indexes an array with \`${index}\``,

  // Conditions.
  tooDeep: () => "the condition nests too deep",
  noCondition: (logic: unknown) =>
    typeof logic === "string" && /[<>=]/.test(logic)
      ? `\`${logic}\` is text and not read as a condition; one such as \`{ ">": [{ var: amount }, "0"] }\` was expected`
      : `\`${JSON.stringify(logic)}\` is constant: a condition must depend on the transaction`,
  constant: () => "the condition is constant",
  oneOperator: () => "a condition has exactly one operator",
  noOperator: (name: string) => `\`${name}\` is no operator`,
  operands: (name: string, wanted: number, given: number) =>
    `\`${name}\` takes ${wanted} operand${wanted === 1 ? "" : "s"}, ${given} given`,
  noFlag: (path: unknown, type: string) => `\`${path}\` is ${type}, a condition needs a bool`,
  misfit: (type: string, wanted: string) =>
    `the operand is ${type}, ${wanted === "number" ? "a number" : `\`${wanted}\``} was expected`,
  plainText: (path: string) => `\`${path}\` is plain text here; \`{ var: ${path} }\` reads the path`,
  noOperand: () => "an operand is a literal or a `var`",
  noLiteral: () => "a string, an integer, a bool or a `var` was expected",
  noListItem: () => "a list holds strings, bools or integers",
  noAddress: (text: string) => `\`${text}\` is no address, role or \`zero\``,
  onePath: () => "`var` takes one path",

  // Captures, flows and hints.
  noChainCapture: () => "names no value of a chain",
  amountWithoutToken: () => "an amount needs `of`: the path of its token",
  nearAddress: () => "an address of this chain needs no `on`",
  noFlow: (text: string) =>
    `\`${text}\` is no flow: write nothing, any, or one, two, some, several with fungible, native, erc20 or nft`,
  feeWithoutReceiver: () => "a fee names `paid`, or `from` with `to`, or `from` with `token` and `amount`",
  chargedAmount: () => "`paid` names a number or a list of numbers",
  accountOnly: (name: string) => `\`{${name}}\` has no value here; \`{account}\` has`,
  grantOfStranger: () => "only known contracts report a grant of their own",
  knownContractsOnly: () => "contract roles of this file are expected here",
  innerOfSteps: () => "steps have no `inner`",
  innerMissing: () => "`inner` says where the calls are",
  badLayout: () => "the packed layout does not parse",
  badTypes: (problem: string | undefined) => `the type list does not parse: ${problem}`,

  // Messages that are signed.
  noActionType: () => "is no action type",
  oneCall: () => "a message carries one call; a list of them is told by the rule about that call",
  noMessageRule: () => "is no rule of this file about a message",
  domainWithPlace: () => "`domain` stands for messages that no contract verifies; it has no `at`",
  tokenOrNft: () => "an asset is a `token` or an `nft`",
  amountMissing: () => "the `amount` of a token is missing",
};

export type Say = (mistake: typeof mistakes) => string;

const kindWords: ReadonlyMap<string, string> = new Map([
  ["address", "an address"],
  ["bool", "true or false"],
  ["uint", "an integer"],
  ["array", "a list"],
]);
