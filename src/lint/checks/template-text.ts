import { limits } from "../../kernel/limits.ts";
import { builtinCaptures, facets } from "../../ruleset/compile/template.ts";
import type { Reporter } from "../../ruleset/document/reporter.ts";
import type { RuleEntry } from "../../ruleset/document/rule-document.ts";
import { suggest } from "../../ruleset/document/suggest.ts";
import type { UsableFile } from "../rule-view.ts";

/** RL501, RL503 and RL504: what a summary may say, each mistake at its characters. */
export function checkTemplates(file: UsableFile, reporter: Reporter): void {
  (file.document.rules ?? []).forEach((entry, position) => {
    const at = ["rules", position, "summary"];
    checkPlaceholders(entry, at, reporter);
    checkCharacters(entry.summary, at, reporter);
    checkOpening(entry, file.rules.find((rule) => rule.id.endsWith(`/${entry.id}`))?.tier === 0, at, reporter);
  });
}

type At = (string | number)[];

function checkPlaceholders(entry: RuleEntry, at: At, reporter: Reporter): void {
  const known = [...builtinCaptures, ...Object.keys(entry.capture ?? {})];
  for (const found of entry.summary.matchAll(/\{([^{}]*)\}|[{}]/g)) {
    const inside = { offset: found.index, length: found[0].length };
    if (found[1] === undefined) {
      reporter.report("RL501", at, `a lone \`${found[0]}\` stands here; \`{name}\` was expected`, { inside });
      continue;
    }
    const [name = "", facet, ...rest] = found[1].split(".");
    const named = { offset: found.index + 1, length: name.length };
    if (!known.includes(name))
      reporter.report("RL501", at, `\`{${found[1]}}\` names no capture`, {
        inside: named,
        suggest: suggest(name, known),
      });
    else if (rest.length > 0 || (facet !== undefined && !facets.includes(facet))) {
      const place = { offset: named.offset + name.length + 1, length: found[1].length - name.length - 1 };
      reporter.report(
        "RL501",
        at,
        `\`${found[1].slice(name.length + 1)}\` is no view of a value: one of ${facets.join(", ")} was expected`,
        { inside: place, suggest: suggest(facet ?? "", facets) },
      );
    }
  }
}

/** Markup, line breaks, control and invisible characters: what a client could read as something else than text. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>[\]*_`|~\\]/gu;

function checkCharacters(summary: string, at: At, reporter: Reporter): void {
  const bare = summary.replace(/\{[^{}]*\}/g, (found) => "x".repeat(found.length));
  for (const found of bare.matchAll(unfit)) {
    const code = (found[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
    const shown = /[\p{C}\p{Z}]/u.test(found[0]) ? `U+${code}` : `\`${found[0] === "`" ? "backtick" : found[0]}\``;
    reporter.report("RL503", at, `${shown} stands in a sentence; plain text was expected`, {
      inside: { offset: found.index, length: found[0].length },
    });
  }
  if (summary.length > limits.templateCharsMax)
    reporter.report(
      "RL503",
      at,
      `the template has ${summary.length} characters; at most ${limits.templateCharsMax} were expected`,
    );
  if (/[.!?]\s*$/.test(summary))
    reporter.report("RL503", at, "the sentence ends with a full stop, which is added to it; none was expected", {
      inside: { offset: summary.trimEnd().length - 1, length: 1 },
    });
}

/** The sentence of the chain's own transactions has no subject. */
function checkOpening(entry: RuleEntry, system: boolean, at: At, reporter: Reporter): void {
  if (system || entry.summary.startsWith("{subject} ")) return;
  const length = Math.max(entry.summary.indexOf(" "), 1);
  reporter.report("RL504", at, "the sentence does not start with `{subject}`: who did it was expected first", {
    inside: { offset: 0, length },
  });
}
