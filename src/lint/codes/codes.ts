import { labelCodes } from "../../labels/code.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";

/** One kind of mistake. */
export interface LintCode {
  level: Diagnostic["level"];
  /** The loader refuses a file with it: it cannot be suppressed. */
  blocks: boolean;
  /** What is wrong, as a noun phrase. */
  finds: string;
  /** What to do about it. */
  help: string;
}

const blocking = (finds: string, help: string): LintCode => ({ level: "error", blocks: true, finds, help });
const error = (finds: string, help: string): LintCode => ({ level: "error", blocks: false, finds, help });
const warning = (finds: string, help: string): LintCode => ({ level: "warning", blocks: false, finds, help });
const note = (finds: string, help: string): LintCode => ({ level: "note", blocks: false, finds, help });

/** Every mistake of a rule file. Codes are never used again for something else; one that is retired stays here. */
export const ruleCodes: Readonly<Record<string, LintCode>> = {
  RL101: blocking(
    "text that is not YAML, or a key written twice",
    "A YAML-aware editor shows the place; most often a quote, a colon or the indent is wrong.",
  ),
  RL102: blocking(
    "an anchor, alias, tag, merge key, directive or second document",
    "Write every value out where it is used: a reader sees it in one place.",
  ),
  RL103: blocking("unquoted hex", "YAML reads 0x… as a number and loses the address. Put it in double quotes."),
  RL104: blocking("an unquoted integer above 2^53 - 1", "YAML rounds it. Put it in double quotes."),
  RL201: blocking(
    "a `protocol` that differs from the file name",
    "The file name is the protocol's id; rename one of the two.",
  ),
  RL202: blocking(
    "a missing field, or a value of the wrong type or form",
    "schemas/rule.schema.json says what may stand there; editors that know YAML schemas show it.",
  ),
  RL203: blocking("an unknown field", "CONTRIBUTING.md lists the fields; check the spelling and the indent."),
  RL204: blocking(
    "an `action` that rules/actions.yaml does not have",
    "The list is closed. Take the type that fits, or propose a new one apart from the rule.",
  ),
  RL205: blocking(
    "an address with a wrong checksum",
    "EIP-55 capitals protect against typing errors: compare the address with its source before taking over the suggestion.",
  ),
  RL206: warning(
    "a protocol without `site`",
    "Name the page of the protocol or of its contracts, so that a reader can check the facts.",
  ),
  RL207: blocking(
    "an `over` of the action table that names an unknown action, or a circle",
    "`over` may name actions of the same tier, and must have a direction.",
  ),
  RL208: error(
    "one id for two rules or unwrappers",
    "Ids are stable for ever and belong to one rule. Give the later one its own.",
  ),
  RL209: warning(
    "a rule file whose first line does not name its JSON Schema",
    "With the comment, editors that know YAML schemas complete and check the file while it is written.",
  ),
  RL210: note(
    "a `# draft:` comment of `rule-lint new`",
    "It names something that only a person can decide. Look at it, change what stands below as needed, then delete it.",
  ),
  RL211: blocking(
    "a `like`, `without` or amended rule that names nothing in the other file",
    "`like` names a file that says its own rules; `without` its rules, roles and members; an entry without `action` amends the rule of that id.",
  ),
  RL212: blocking(
    "a rule that is taken over, at a role that this file does not have",
    "Name the role under `contracts`, or leave it out by `without`: what stands only there is left out with it.",
  ),
  RL220: blocking(
    "a phrase of rules/wording.yaml that is missing, that nothing says, or whose placeholders are not those that it has",
    "Which phrases there are, and with which values each is said, is fixed in src/ruleset/wording/phrases.ts; the words are free.",
  ),
  RL301: blocking(
    "a signature that does not parse, or a parameter without a name",
    "Write it as in Solidity with named parameters, tuples inline: `event Swap(address indexed sender, (uint256 a, uint256 b) amounts)`.",
  ),
  RL302: blocking(
    "a name that is no contract role, member or ABI item of the file, or one of the wrong kind",
    "Roles stand under `contracts` and `members`, events and functions under `abi`.",
  ),
  RL303: blocking(
    "a path or argument that names nothing",
    "Paths start at args, input, emitter, call, tx, flow, legs, contracts, count, subject or target; see CONTRIBUTING.md.",
  ),
  RL304: blocking(
    "a path of the wrong type for its use",
    "An amount needs an integer, a party an address; words and bytes have views such as `.address`.",
  ),
  RL305: blocking(
    "an amount without `of`",
    "An amount is shown with the symbol and decimals of its token: name the token's path, or `native`.",
  ),
  RL306: blocking(
    "a flow that cannot be read",
    "Write nothing, any, or one, two, some, several with fungible, native, erc20 or nft.",
  ),
  RL307: error(
    "a selector or topic in a comment that is not the signature's",
    "Compare the signature's types with the contract; the hash is computed from them alone.",
  ),
  RL312: blocking(
    "a packed layout that does not parse",
    "List the fields with their types: `uint8 operation, address to, uint256 length, bytes[length] data`.",
  ),
  RL313: error(
    "a capture with no type, two types, a field of another type, or a field too few",
    "A capture is one of the types of CONTRIBUTING.md with that type's own fields.",
  ),
  RL314: error(
    "a chain scheme that labels/chains.yaml does not have",
    "Chain names are looked up by scheme and id: name one of its schemes, or add the scheme there.",
  ),
  RL315: blocking(
    "an unwrapper without `inner`, or steps with one",
    "`inner` says where the calls are that `each` carries; steps run in the contract's own frame and have none.",
  ),
  RL401: blocking("a `var` that names nothing", "`var` takes a path; captures cannot be read in conditions."),
  RL402: blocking(
    "an unknown operator, or several in one mapping",
    "The list of operators is closed and typed; plain `<` and `>` are uint_lt and uint_gt.",
  ),
  RL403: blocking(
    "operands whose number or types do not fit",
    "uint_ and int_ compare integers, addr_ addresses, bytes_ bytes; integers are quoted text.",
  ),
  RL404: blocking(
    "a condition that is constant or contradicts another",
    "A condition that is always true or never true hides a mistake: remove it, or name what was meant.",
  ),
  RL405: blocking("a condition that nests too deep", "Split the rule, or flatten `and` and `or`."),
  RL501: error(
    "a placeholder that names no capture, an unknown view, or a lone bracket",
    "Placeholders are {subject} {protocol} {gives} {gets} {contract} {others} and the rule's captures; views are .full and .raw; `[words {name}|other words {name}]` is a clause that may be left out.",
  ),
  RL502: warning("a capture that no sentence prints", "Print it or remove it; conditions read paths, not captures."),
  RL503: error(
    "a sentence with markup, a line break, a closing full stop or too many characters",
    "Sentences are plain text; the full stop is added.",
  ),
  RL504: warning(
    "a sentence that says who did it",
    "The subject is put in front of every sentence; `by` is for what the chain itself does.",
  ),
  RL505: error(
    "a verb that cannot be inflected",
    "A sentence starts with a verb in base form, and marks further ones with `<>`. What is irregular, or of several syllables with a short last one, stands in rules/verbs.yaml.",
  ),
  RL506: note(
    "an ABI item or a member that nothing uses",
    "Remove it; what is not used is not checked against anything.",
  ),
  RL601: error(
    "a rule without an example where it stands, or one without a gate and without an example where it does not",
    "Write an `example` in the rule, or record a transaction. Where `at` names contracts, lint derives the negative one itself.",
  ),
  RL602: error(
    "an example that does not come out as stated",
    "The message names what stands instead. `txgloss replay <case> --why` shows the evidence of a recording.",
  ),
  RL603: error("an example that repeats another one, or its name", "Refer to the first one with `like`."),
  RL604: error(
    "an example that cannot be built: an unknown name, value, rule or recording",
    "Names are alice, bob, carol, stranger, zero, roles (role.1 is the second address), members, token symbols and addresses.",
  ),
  RL605: note(
    "an attempt that is told by another rule",
    "Another attempt fits the same call and goes first: tell them apart by `where`, or let one override the other.",
  ),
  RL606: note(
    "an attempt whose call does not fill the sentence of the act",
    "Give the attempt a `capture` for each value outside of clauses, put the value into `[ ]`, or write a `does` for the attempt.",
  ),
  RL610: error(
    "a rule of a protocol that anyone could trigger",
    "Anyone can emit any event. Say in `at` which contracts or proven members count; without them a rule has the flow tier at most and names no protocol.",
  ),
  RL611: error(
    "an event that nothing ties to the subject",
    "A stranger's event inside the same transaction is not the subject's act: say `who`, ask for a flow or a leg, or for a call beside the event.",
  ),
  RL701: error(
    "two rules with different meanings and equal standing on one piece of evidence",
    "Tell them apart by `where`, `flow` or legs, or let one override the other, where meaning demands it.",
  ),
  RL702: error("overrides that go in a circle", "Remove one direction."),
  RL703: error("an override of an unknown rule", "Rules of other files are named `protocol/rule`."),
  RL704: warning(
    "an override that repeats what tier, action or specificity already decide",
    "Remove it: edges that change nothing hide those that do.",
  ),
  RL705: warning(
    "a rule that can never stand",
    "Another rule asks for less and goes first. Ask for something that sets this one apart, or override.",
  ),
  RL706: error(
    "two unwrappers for one call at one place",
    "Only the first by name would be used. Narrow `at`, or tell them apart with `when`.",
  ),
  RL707: warning("one address with two labels", "Use one label in all files that list the address."),
  RL801: warning(
    "a suppression without a reason or without effect",
    "Write `# rule-lint-disable-next-line RL502 -- reason` right above the line; mistakes that the loader refuses cannot be suppressed.",
  ),
  RL901: error("a check that crashed", "The mistake is the linter's, not yours: please report it with the file."),
};

/** The entry of a code, of rule files or of label files. */
export function findCode(code: string): LintCode | undefined {
  if (Object.hasOwn(ruleCodes, code)) return ruleCodes[code];
  if (!Object.hasOwn(labelCodes, code)) return undefined;
  const label = labelCodes[code as keyof typeof labelCodes];
  return {
    level: label.level,
    blocks: label.level === "error",
    finds: label.finds,
    help: "labels/ holds facts with their sources; schemas/label.schema.json describes its files.",
  };
}

/** Every code, in order. */
export function allCodes(): string[] {
  return [...Object.keys(ruleCodes), ...Object.keys(labelCodes)].sort();
}
