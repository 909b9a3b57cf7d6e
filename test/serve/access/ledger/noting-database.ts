import {
  type Cell,
  type LedgerDatabase,
  type Row,
  type SqlStatement,
  statement,
  type Write,
} from "../../../../src/serve/access/ledger/database.ts";

/** A question to the database: the name of the statement, then its values. */
export type Asked = [name: string, ...values: Cell[]];

const names = [
  ...["chargeFree", "readFree", "dropFree", "chargePass", "findPass", "findPassOf", "findPayment", "openPayment"],
  ...["lockPayment", "buyLine", "findLine", "listLines", "takeOver", "beat", "settlePayment", "confirmPayment"],
  ...[
    "undoPayment",
    "dropPayment",
    "losePayment",
    "endPass",
    "activatePass",
    "revivePass",
    "renewPass",
    "dropUnsent",
    "dropPasted",
    "hasOpen",
    "listOpen",
  ],
  ...[
    "listUnconfirmed",
    "listPayments",
    "listPasses",
    "countPayments",
    "ping",
    "touch",
    "takeFree",
    "takePassCall",
    "giveBackCalls",
    "listHeld",
  ],
  ...["chargeHeld", "beatInstance", "listInstances", "giveBackDead"],
];
const nameOf = new Map(names.map((name) => [statement(name), name]));

/** A database that notes every question and gives the answers of the test. */
export function noteDatabase(answer: (...asked: Asked) => Row[] = () => [], changed: () => number = () => 1) {
  const asked: Asked[] = [];
  const ask = (one: SqlStatement, values: Cell[]) => {
    const named: Asked = [nameOf.get(one) ?? "", ...values];
    asked.push(named);
    return answer(...named);
  };
  const database = {
    name: "postgres",
    all: async (one, ...values) => ask(one, values),
    first: async (one, ...values) => ask(one, values)[0],
    firstInTurn: async (turn, one, ...values) => {
      asked.push(["turn", turn]);
      return ask(one, values)[0];
    },
    inOneTransaction: async (writes: readonly Write[]) => {
      for (const { statement: one, values } of writes) asked.push([nameOf.get(one) ?? "", ...values]);
      return changed();
    },
    session: () => Promise.reject(new Error("there are no sessions")),
    columnsOf: async () => [],
    close: () => void asked.push(["close"]),
  } satisfies LedgerDatabase as LedgerDatabase;
  return { database, asked };
}
