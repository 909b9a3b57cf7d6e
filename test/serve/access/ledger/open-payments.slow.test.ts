// The same with PostgreSQL, which `npm test` does not start.
import "./open-payments.test.ts";
