// Rolling restarts under load: two replicas of the product behind a plain proxy that sends nothing twice, 100 clients with kept
// connections, and ten rounds in which both replicas are restarted. Budget: no failed request. `node bench/restart.ts ROUNDS CLIENTS` runs
// fewer.
import { restartUnderLoad } from "../test/support/rolling-restart.ts";

const [rounds = 10, clients = 100] = process.argv.slice(2).map(Number);
const { answered, failed, exits, slowestStop } = await restartUnderLoad({ rounds, clients });
console.log(`${answered} answers during ${exits.length} restarts; the slowest stop took ${slowestStop} ms`);
const count = Object.values(failed).reduce((sum, more) => sum + more, 0);
if (count > 0) console.log(`failed: ${JSON.stringify(failed)}`);
if (exits.some((code) => code !== 0)) console.log(`exit statuses: ${exits.join(", ")}`);
console.log(JSON.stringify({ bench: "failed requests in rolling restarts", ratio: count, limit: 0 }));
process.exit(0);
