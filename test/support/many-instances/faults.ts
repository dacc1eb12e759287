import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import type { DatabaseProxy } from '../database-proxy.js';
import { until } from '../processes.js';
import type { QueriedDatabase } from '../test-database.js';
import type { FaultyServer } from './faulty-server.js';
import type { Fleet } from './fleet.js';

/** What a fault disturbs. */
export interface Disturbed {
  readonly fleet: Fleet;
  /** Between the service and its database. */
  readonly network: DatabaseProxy;
  readonly database: QueriedDatabase;
  readonly server: FaultyServer;
  /** Saves a page once, without a retry. */
  readonly knock: () => Promise<{ readonly status: number; readonly text: string }>;
  /** Begins an import, and resolves in the middle of it. */
  readonly beginImport: () => Promise<void>;
  /** The metric of the pictures that the service stores. */
  readonly pictureWrites: () => Promise<{ readonly stored: number; readonly failed: number }>;
  readonly roll: (sides: number) => number;
}

export type Fault = (disturbed: Disturbed) => Promise<void>;

const FLOOD = 300;
const DEADLOCK = '40P01';

/** Faults that begin and end while clients call. Resolves when the cause is gone. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'connections to the database end at any byte': (all) => network(all, 'cutting', 3000),
  'the network to the database is slow': (all) => network(all, 'slow', 4000),
  'connections to the database are half open': (all) =>
    network(all, 'silent', 3000 + all.roll(4000)),
  'the database refuses connections': (all) => network(all, 'refusing', 2000),
  'sessions of the database are ended': async ({ database, roll }) => {
    for (let times = 0; times < 5; times += 1) {
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await pause(roll(800));
    }
  },
  'the disk of the database is full': async ({ database, knock }) => {
    const tables = await database.query<{ name: string }>(TABLES);
    await database.query(REFUSE);
    for (const { name } of tables) {
      await persist(
        database,
        `CREATE TRIGGER refuse_writes BEFORE INSERT OR UPDATE OR DELETE ON ${name}
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_writes()`,
      );
    }
    await refused(knock);
    await pause(1000);
    for (const { name } of tables) {
      await persist(database, `DROP TRIGGER refuse_writes ON ${name}`);
    }
    await database.query('DROP FUNCTION refuse_writes');
  },
  'another program locks all lists': async ({ database, roll }) => {
    await database.query(`DO $$ BEGIN LOCK TABLE lists; PERFORM pg_sleep(${1 + roll(5)}); END $$`);
  },
  'the service is killed': ({ fleet, roll }) => fleet.restart(0, 'SIGKILL', roll(1000)),
  'the service is stopped and started': ({ fleet, roll }) =>
    fleet.restart(0, 'SIGTERM', roll(1000)),
  'hundreds of clients connect and send slowly': ({ fleet }) =>
    flood(Number(fleet.instances[0]?.port)),
};

const FULL = /The disk of the service is full/;

/** Waits until a save is refused because the disk is full, or until the database has ended because of it. */
export const refused = (
  knock: Disturbed['knock'],
  hasEnded: () => boolean = () => false,
): Promise<void> =>
  until(async () => {
    const { status, text } = await knock();
    return ([503, 507].includes(status) && FULL.test(text)) || hasEnded();
  }, 'a save that is refused because the disk is full');

const REFUSE = `
  CREATE FUNCTION refuse_writes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full';
    END $$`;
const TABLES = `
  SELECT relname::text AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;

/** Repeats a statement that a deadlock with the service has ended. */
async function persist(database: QueriedDatabase, statement: string): Promise<void> {
  for (;;) {
    try {
      await database.query(statement);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === DEADLOCK)) {
        throw error;
      }
    }
  }
}

async function network(
  { network: proxy }: Disturbed,
  way: DatabaseProxy['way'],
  ms: number,
): Promise<void> {
  proxy.become(way);
  await pause(ms);
  proxy.become('open');
}

/** Opens connections that send a request byte by byte and never finish it. */
async function flood(port: number): Promise<void> {
  const sockets: Socket[] = [];
  const head = 'POST /v3/get HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  for (let count = 0; count < FLOOD; count += 1) {
    sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
  }
  for (const byte of head.slice(0, 30)) {
    sockets.forEach((socket) => socket.write(byte));
    await pause(100);
  }
  sockets.forEach((socket) => socket.destroy());
}
