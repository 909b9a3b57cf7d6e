import type { Reporter } from "../../documents/reporter.ts";
import type { UsableFile } from "../rule-view.ts";

/** RL206: a protocol without a page where a reader can see what it is. */
export function checkSite(file: UsableFile, reporter: Reporter): void {
  if (file.document.kind === "protocol" && file.document.site === undefined && (file.document.rules ?? []).length > 0)
    reporter.report("RL206", ["protocol"], "the file has no `site`; the protocol's page was expected", { key: true });
}
