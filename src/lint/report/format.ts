import { formatGithub } from "./github.ts";
import { formatJson } from "./json.ts";
import { formatJunit } from "./junit.ts";
import type { LintReport } from "./lint-report.ts";
import { formatPretty } from "./pretty.ts";
import { formatSarif } from "./sarif.ts";

/** The formats of `--format`; each is a pure function of a report. */
export const formats: Readonly<Record<string, (report: LintReport) => string>> = {
  pretty: formatPretty,
  json: formatJson,
  github: formatGithub,
  sarif: formatSarif,
  junit: formatJunit,
};
