// The same with PostgreSQL, which `npm test` does not start.
import "./ledger.test.ts";
