import { type CommandEntry, flag, type Program, repeated, valued } from "../terminal/command-table.ts";
import { formats } from "./report/format.ts";

const recordings = valued(
  "DIR",
  "recorded transactions that examples and answers are made from; default: those of the checkout, none in the npm package",
);
const beside = repeated("DIR", "rules and labels beside these, which add to them; `shipped`: those of the package");
const out = valued("FILE", "write there instead of to stdout");

const commands = {
  check: {
    operands: "[paths…]",
    options: {
      format: valued(
        Object.keys(formats),
        "how findings are printed; default: pretty. sarif and github are for pull requests",
      ),
      "fail-on": valued(["error", "warning"], "the least finding that gives exit status 1; default: error"),
      recordings,
      with: beside,
      mutate: flag("forge the examples of every rule instead, and print what is deceived"),
      watch: flag("check again whenever a file changes; Ctrl+C ends it"),
      explain: valued(
        "CODE",
        "tell what a finding such as RL305 means, with bad and good lines, or what a forgery such as side-show is",
      ),
    },
    help: "check rule and label files, run their examples; the command where none is named",
  },
  new: {
    operands: "<protocol>",
    options: {
      tx: {
        ...valued("HASH", "a transaction that went through; read from the recordings, else fetched and recorded there"),
        needed: true,
      },
      address: {
        ...valued("ADDRESS", "instead of --tx: a contract; drafts rules about a few of its functions from its ABI"),
        needed: true,
      },
      message: {
        ...valued(
          "FILE",
          "instead of --tx: EIP-712 typed data (JSON) that an application asks to sign; drafts a rule about it",
        ),
        needed: true,
      },
      abi: repeated(
        "FILE",
        "the contract's ABI (JSON, as explorers export it), or signatures, one a line; without it the rule files, Sourcify and Blockscout are asked (not with LOOKUPS=off)",
      ),
      action: valued("TYPE", "what was done, of rules/actions.yaml; default: what names and money flow suggest"),
      role: valued(
        "NAME",
        "what the called contract is, such as pool or router; default: its published name, else a guess",
      ),
      family: valued("FOLDER", "folder of rules/; default: where rules with that action mostly are, or none"),
      rpc: repeated("URL", "this endpoint instead of RPC_URLS"),
      recordings: valued("DIR", "default: test/transactions or recordings, whichever is here"),
    },
    help: "draft a rule file from a transaction, a contract or a message",
    more: `Writes rules/<family>/<protocol>.yaml: the contract of the transaction, the signatures, one rule with what it showed, and the
transaction as its example. What is left to look at stands in it as comments that begin with "# draft:".
Rules that lie beside you without a table of actions add to those of the package: then it writes rules/<protocol>.yaml, also
where there is no folder rules yet. It never writes into the package.
Nothing that is there is overwritten.
`,
  },
  order: {
    operands: "[paths…]",
    options: {
      of: valued("PROTOCOL", "only the rules that those of one protocol stand before and behind"),
      out: valued("FOLDER", "write one file for each protocol instead"),
      with: beside,
    },
    help: "print which rule goes before which",
  },
  golden: {
    operands: "[paths…]",
    options: {
      write: flag("record the answers as they are now"),
      since: valued("REV", "compare with the answers recorded at a commit"),
      golden: valued("DIR", "where the answers are recorded; default: test/golden"),
      cases: repeated("NAME=DIR", "more case files than the recordings, under a name"),
      recordings,
      with: beside,
    },
    help: "print which recorded answers changed, as sentences before and after",
  },
  docs: {
    operands: "[paths…]",
    options: { out, with: beside },
    help: "print what the rules know, protocol by protocol",
  },
  compile: {
    operands: "[paths…]",
    options: { out, with: beside },
    help: "print rules and labels as one JSON file for txgloss/decide",
  },
  "verify-sources": {
    operands: "[paths…]",
    options: {
      repos: valued(
        "DIR",
        "local clones of public repositories: DIR/owner+name or DIR/owner/name, bare or with a work tree",
      ),
      rpc: repeated(
        "URL",
        "an endpoint: code is there, recorded hashes still match, registries and tokens answer as stated",
      ),
      recordings,
      json: flag("everything, for programs"),
      all: flag("list what was found as well"),
    },
    help: "look up where addresses and signatures are from",
    more: `Says of each source of a fact: found, moved (it is elsewhere by now, or changed), absent (it is not there), or uncheckable
(nothing to check it with). Exit status: 0 nothing moved or absent, 1 something is, 2 could not run.
`,
  },
} satisfies Record<string, CommandEntry>;

export type RuleLintCommand = keyof typeof commands;

/** Default paths: rules and labels here, else those of the package. */
export const ruleLint: Program & { commands: typeof commands } = {
  name: "rule-lint",
  about: "rule-lint checks rule and label files (default: rules and labels), and writes and lists them.",
  commands,
  fallback: "check",
  closing: `Exit status: 0 clean, 1 findings at or above --fail-on, a changed answer, or a rule that believes an untrusted contract or
hides a loss and does not say why, 2 could not run.
`,
};
