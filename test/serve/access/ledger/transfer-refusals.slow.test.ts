// The same with PostgreSQL, which `npm test` does not start.
import "./transfer-refusals.test.ts";
