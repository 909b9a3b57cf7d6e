import type { CommandEntry, Program } from "../terminal/command-table.ts";
import { completionHelp } from "../terminal/completion.ts";
import { formats } from "./report/format.ts";

const commands = {
  check: {
    usage: `[paths…] [--format ${Object.keys(formats).join("|")}] [--fail-on error|warning] [--recordings DIR] [--with DIR]… [--mutate] [--watch] [--explain CODE]`,
    help: "check rule and label files, run their examples; the command where none is named",
  },
  new: {
    usage:
      "<protocol> (--tx HASH | --message FILE) [--abi FILE]… [--action TYPE] [--role NAME] [--family FOLDER] [--rpc URL]… [--recordings DIR]",
    help: "draft a rule file from a transaction",
    more: `Writes rules/<family>/<protocol>.yaml: the contract of the transaction, the signatures, one rule with what it captured, and the
transaction as its example. What is left to look at stands in it as comments that begin with "# draft:".
Rules that lie beside you without a table of actions add to those of the package: then it writes rules/<protocol>.yaml, also
where there is no folder rules yet. It never writes into the package.
Nothing that is there is overwritten.
`,
    options: {
      family: "folder of rules/; default: where rules with that action mostly are, or none",
      rpc: "this endpoint instead of RPC_URLS",
      recordings: "default: test/transactions or recordings, whichever is here",
    },
  },
  order: {
    usage: "[paths…] [--of PROTOCOL] [--out FOLDER] [--with DIR]…",
    help: "print which rule goes before which",
    options: { out: "write one file for each protocol instead" },
  },
  golden: {
    usage: "[paths…] [--write] [--since REV] [--golden DIR] [--cases NAME=DIR]… [--recordings DIR] [--with DIR]…",
    help: "print which recorded answers changed, as sentences before and after",
  },
  docs: { usage: "[paths…] [--out FILE] [--with DIR]…", help: "print what the rules know, protocol by protocol" },
  compile: {
    usage: "[paths…] [--out FILE] [--with DIR]…",
    help: "print rules and labels as one JSON file for txgloss/decide",
  },
  "verify-sources": {
    usage: "[paths…] [--repos DIR] [--rpc URL]… [--recordings DIR] [--json] [--all]",
    help: "look up where addresses and signatures are from",
    more: `Says of each source of a fact: found, moved (it is elsewhere by now, or changed), absent (it is not there), or uncheckable
(nothing to check it with). Exit status: 0 nothing moved or absent, 1 something is, 2 could not run.
`,
    options: { rpc: "an endpoint: code is there, recorded hashes still match, registries and tokens answer as stated" },
  },
  completion: {
    usage: "bash|zsh|fish",
    help: "print a script by which a shell completes commands and options",
    more: completionHelp("rule-lint"),
  },
} satisfies Record<string, CommandEntry>;

export type RuleLintCommand = keyof typeof commands;

/** All commands of rule-lint. Where no path is given, they take the folders rules and labels: here, or else those of the package. */
export const ruleLint: Program & { commands: typeof commands } = {
  name: "rule-lint",
  about: "rule-lint checks rule and label files (default: rules and labels), and writes and lists them.",
  commands,
  fallback: "check",
  options: {
    format: "how findings are printed; default: pretty. sarif and github are for pull requests",
    "fail-on": "the least finding that gives exit status 1; default: error",
    recordings:
      "recorded transactions that examples and answers are made from; default: those of the checkout, none in the npm package",
    with: "rules and labels beside these, which add to them; `shipped`: those of the package",
    watch: "check again whenever a file changes; Ctrl+C ends it",
    mutate: "forge the examples of every rule instead, and print what is deceived",
    explain: "tell what a finding such as RL305 means, with bad and good lines, or what a forgery such as side-show is",
    tx: "a transaction that went through; read from the recordings, else fetched and recorded there",
    message: "instead of --tx: EIP-712 typed data (JSON) that an application asks to sign; drafts a rule with `sign`",
    abi: "the contract's ABI (JSON, as explorers export it), or signatures, one a line; without it the rule files, Sourcify and Blockscout are asked (not with LOOKUPS=off)",
    action: "what was done, of rules/actions.yaml; default: what names and money flow suggest",
    role: "what the called contract is, such as pool or router; default: its published name, else a guess",
    of: "only the rules that those of one protocol stand before and behind",
    out: "write there instead of to stdout",
    write: "record the answers as they are now",
    since: "compare with the answers recorded at a commit",
    golden: "where the answers are recorded; default: test/golden",
    cases: "more case files than the recordings, under a name",
    repos: "local clones of public repositories: DIR/owner+name or DIR/owner/name, bare or with a work tree",
    json: "everything, for programs",
    all: "list what was found as well",
  },
  closing: `Exit status: 0 clean, 1 findings at or above --fail-on, a changed answer, or a rule that believes an untrusted contract or
hides a loss and does not say why, 2 could not run.
`,
};
