/**
 * A database for simulated processes: a real SQLite in memory, whose answers take virtual time and can get lost, and
 * whose write lock another command may hold. Its transactions run one at a time.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { migrate } from "../../../src/store/migrations.ts";
import type { Tables } from "../../../src/store/tables.ts";
import type { VirtualProcess, VirtualTime } from "./virtual-time.ts";

/** How the database behaves at the moment. */
export interface DatabaseWeather {
  /** Milliseconds from a process to the database at this moment, and back. */
  distanceMs: (process: VirtualProcess) => number;
  /** Whether the connection breaks at this statement: before it takes effect, or after it. */
  breaks: (text: string) => "before" | "after" | undefined;
  /** Until when its answers are slow, or get lost. */
  slowUntil: number;
  breaksUntil: number;
  /** Until when another command holds the write lock. */
  lockedUntil: number;
  /** Until when it refuses every statement. */
  awayUntil: number;
  /** How long a silent transaction may last: after that the server ends it. */
  maxSilenceMs: number;
}

export interface SimulatedDatabase {
  readonly weather: DatabaseWeather;
  /** The connections of a process. */
  open(process: VirtualProcess): Kysely<Tables>;
  /** Ends the connections of a process that has died. */
  endOf(process: VirtualProcess): void;
  /** Reads what is stored, outside of the simulation. Gives nothing while a transaction is open. */
  read(text: string): Record<string, unknown>[];
}

const MAX_BUSY_MS = 10_000;

interface Connection {
  readonly process: VirtualProcess;
  isBroken: boolean;
  usedAt: number;
}

interface Waiting {
  readonly connection: Connection;
  readonly isRead: boolean;
  readonly deadline: number;
  readonly go: (error?: Error) => void;
}

let shared: { readonly database: DatabaseSync; readonly statements: Map<string, Prepared> } | undefined;

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

/** The tables, emptied: migrating them anew takes longer than a history. */
async function emptyTables() {
  if (shared === undefined) {
    shared = { database: new DatabaseSync(":memory:"), statements: new Map() };
    await migrate(new Kysely<Tables>({ dialect: dialectOf(async (query) => runNow(query.sql, query.parameters)) }));
  }
  const { database } = shared;
  if (database.isTransaction) database.exec("rollback");
  database.exec("delete from subscription; delete from fan_out; delete from commit_mark; update claim set token = 0");
}

function runNow<Row>(text: string, parameters: readonly unknown[]): QueryResult<Row> {
  if (shared === undefined) throw new Error("There are no tables");
  const { database, statements } = shared;
  const prepared = statements.getOrInsertComputed(text, () => {
    const statement = database.prepare(text);
    return { statement, returnsRows: statement.columns().length > 0 };
  });
  const values = parameters as SQLInputValue[];
  if (prepared.returnsRows) return { rows: prepared.statement.all(...values) as Row[] };
  return { rows: [], numAffectedRows: BigInt(prepared.statement.run(...values).changes) };
}

/** Opens an empty database. There is one at a time. */
export async function openSimulatedDatabase(time: VirtualTime, weather: DatabaseWeather): Promise<SimulatedDatabase> {
  await emptyTables();
  /** The connection whose transaction is open. */
  let holder: Connection | undefined;
  let queue: Waiting[] = [];
  const connections = new Set<Connection>();

  /** Lets those go on that wait for the lock and may have it now. */
  function pump(): void {
    const now = time.now();
    const waiting = queue;
    const still: Waiting[] = [];
    queue = [];
    for (const each of waiting) {
      if (!each.connection.process.isAlive || each.connection.isBroken) continue;
      if (now >= each.deadline) each.go(Object.assign(new Error("database is locked"), { errcode: 5 }));
      else if (holder !== undefined || (!each.isRead && now < weather.lockedUntil)) still.push(each);
      else each.go();
    }
    queue = [...still, ...queue];
  }

  function end(connection: Connection): void {
    connection.isBroken = true;
    connections.delete(connection);
    if (holder === connection) {
      runNow("rollback", []);
      holder = undefined;
    }
    pump();
  }

  function broken(): Error {
    return new Error("Connection terminated unexpectedly");
  }

  /** Runs a statement at the server. */
  function serve(
    connection: Connection,
    { sql: text, parameters }: Pick<CompiledQuery, "sql" | "parameters">,
    answer: (result: QueryResult<never> | Error) => void,
  ): void {
    const isAway = time.now() < weather.awayUntil;
    const loss = isAway ? "before" : weather.breaks(text);
    if (connection.isBroken || loss === "before") {
      end(connection);
      answer(isAway ? Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) : broken());
      return;
    }
    const execute = (error?: Error) => {
      if (error !== undefined) {
        answer(error);
        return;
      }
      let result: QueryResult<never> | Error;
      try {
        result = runNow<never>(text, parameters);
      } catch (fault) {
        result = fault as Error;
      }
      if (text === "begin") holder = connection;
      if (text === "commit" || text === "rollback") holder = undefined;
      connection.usedAt = time.now();
      if (holder === connection) watch(connection);
      if (loss === "after") {
        end(connection);
        result = broken();
      }
      answer(result);
      if (holder === undefined && queue.length > 0) pump();
    };
    const isRead = text.startsWith("select");
    const isFree = holder === undefined && (isRead || time.now() >= weather.lockedUntil);
    if (holder === connection || isFree) execute();
    else if (text === "rollback") answer({ rows: [] });
    else {
      queue.push({ connection, isRead, deadline: time.now() + MAX_BUSY_MS, go: execute });
      time.after(Math.max(0, weather.lockedUntil - time.now()), pump);
      time.after(MAX_BUSY_MS, pump);
    }
  }

  /** The server ends a transaction that is silent for too long. */
  function watch(connection: Connection): void {
    if (weather.maxSilenceMs === Number.POSITIVE_INFINITY) return;
    const { usedAt } = connection;
    time.after(weather.maxSilenceMs, () => {
      if (holder === connection && connection.usedAt === usedAt) end(connection);
    });
  }

  function request<Row>(connection: Connection, query: Pick<CompiledQuery, "sql" | "parameters">) {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<Row>>();
    const settle = (result: QueryResult<never> | Error) =>
      result instanceof Error ? reject(result) : resolve(result as QueryResult<Row>);
    const distance = weather.distanceMs(connection.process);
    let isDirect = distance === 0;
    if (isDirect) serve(connection, query, (result) => (isDirect ? settle(result) : reply(result)));
    else time.after(distance, () => serve(connection, query, reply));
    isDirect = false;
    return promise;

    function reply(result: QueryResult<never> | Error): void {
      time.deliver(connection.process, () => settle(result), weather.distanceMs(connection.process));
    }
  }

  return {
    weather,
    open: (process) =>
      new Kysely<Tables>({
        dialect: dialectOf(
          (query, connection) => request(connection as Connection, query),
          () => {
            const connection: Connection = { process, isBroken: false, usedAt: 0 };
            connections.add(connection);
            return connection;
          },
          (connection) => connections.delete(connection as Connection),
        ),
      }),
    endOf(process) {
      for (const each of connections) if (each.process === process) end(each);
    },
    read: (text) => (holder === undefined ? runNow<Record<string, unknown>>(text, []).rows : []),
  };
}

/** Kysely's dialect over a function that runs statements. */
function dialectOf(
  run: <Row>(query: Pick<CompiledQuery, "sql" | "parameters">, connection: unknown) => Promise<QueryResult<Row>>,
  connect: () => unknown = () => undefined,
  release: (connection: unknown) => void = () => {},
) {
  class SimulatedConnection implements DatabaseConnection {
    readonly connection = connect();

    executeQuery<Row>(query: Pick<CompiledQuery, "sql" | "parameters">): Promise<QueryResult<Row>> {
      return run<Row>(query, this.connection);
    }

    // biome-ignore lint/correctness/useYield: it always throws
    async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
      throw new Error("Nothing is streamed");
    }
  }
  const control = (sql: string) => async (connection: DatabaseConnection) => {
    await (connection as SimulatedConnection).executeQuery({ sql, parameters: [] });
  };
  return {
    createDriver: () => ({
      async init() {},
      async acquireConnection() {
        return new SimulatedConnection();
      },
      beginTransaction: control("begin"),
      commitTransaction: control("commit"),
      rollbackTransaction: (connection: DatabaseConnection) => control("rollback")(connection).catch(() => {}),
      async releaseConnection(connection: DatabaseConnection) {
        release((connection as SimulatedConnection).connection);
      },
      async destroy() {},
    }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
  };
}
