// Runs one scenario, or all of them, and prints what was found. Exit status 1 when something is not as it has to be.
// `npm run chaos` kills replicas while clients pay; `npm run chaos -- NAME [options]` runs another one. README.md tells names and options.
import { parseArgs } from "node:util";
import { type ScenarioOptions, scenarios } from "./scenarios.ts";
import { formatReport } from "./world/table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    kills: { type: "string", default: "200" },
    payments: { type: "string", default: "2000" },
    minutes: { type: "string" },
    ledger: { type: "string" },
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const [name = "kill", ...rest] = positionals;
// `soak 30` says the minutes without naming them.
const minutes = values.minutes ?? (name === "soak" ? rest.shift() : undefined);
const usage = `Usage: npm run chaos -- [${Object.keys(scenarios).join(" | ")} | all] [--seed N]
Without a name it is kill. test/chaos/README.md tells what each one does, how long it takes, and all options.`;
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const wanted =
  name === "all" ? Object.values(scenarios) : [Object.hasOwn(scenarios, name) ? scenarios[name] : undefined];
if (wanted.includes(undefined) || rest.length > 0) {
  console.error(usage);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const options: ScenarioOptions = {
  seed: Number(values.seed),
  kills: Number(values.kills),
  payments: Number(values.payments),
  ...(minutes !== undefined && { minutes: Number(minutes) }),
  ...(values.ledger !== undefined && { ledger: values.ledger }),
  ...(values.only !== undefined && { only: values.only }),
};
console.log(`seed ${options.seed}`);
// Every server that a run starts listens for the end of this process, so Node would warn of too many listeners.
process.setMaxListeners(0);
const wrong: string[] = [];
for (const scenario of wanted) {
  for await (const report of scenario!(options)) {
    console.log(`\n${formatReport(report)}`);
    const rows = report.rows.filter((row) => !row.held);
    wrong.push(...rows.map(({ what, found, want }) => `${report.title}: ${what}: ${found}, wanted ${want}`));
  }
}
console.log(wrong.length === 0 ? "\nEverything held." : `\nWhat did not hold:\n${wrong.join("\n")}`);
process.exit(wrong.length === 0 ? 0 : 1);
