import { lint } from "../lint/lint.ts";
import { defaultRecordings, findSources } from "../lint/sources.ts";

const result = lint(findSources(process.argv.slice(2)), defaultRecordings());
for (const one of result.diagnostics)
  console.log(`${one.file}:${one.range.start.line}:${one.range.start.column}  ${one.level}  ${one.code}  ${one.message}${one.suggest === undefined ? "" : ` (did you mean \`${one.suggest}\`?)`}`);
process.exitCode = result.diagnostics.some((one) => one.level === "error") ? 1 : 0;
console.log(`${result.diagnostics.length} findings in ${result.files} files`);
