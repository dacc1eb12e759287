import pg from 'pg';

import { until } from './processes.js';
import type { TestDatabase } from './test-database.js';

/** Unlogged tables. They are empty after a promotion, because the WAL does not contain them. */
const UNLOGGED = 'call_counters, page_cursors, throttle_counters';

/** A copy of a database at one moment. After a takeover, later writes are lost, as after an asynchronous failover. */
export class LaggingStandby {
  private constructor(
    private readonly admin: pg.Client,
    private readonly database: TestDatabase,
    private readonly name: string,
  ) {}

  static async of(database: TestDatabase): Promise<LaggingStandby> {
    const { pathname } = new URL(database.url);
    const url = Object.assign(new URL(database.url), { pathname: '/postgres' });
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    const standby = new LaggingStandby(admin, database, pathname.slice(1));
    const { name } = standby;
    await standby.alone(`CREATE DATABASE ${name}_standby TEMPLATE ${name}`);
    return standby;
  }

  /** Puts the copy in place of the database, so that the service finds an older history. */
  async takeOver(): Promise<void> {
    const { admin, name, database } = this;
    await this.alone(`ALTER DATABASE ${name} RENAME TO ${name}_lost`);
    await admin.query(`ALTER DATABASE ${name}_standby RENAME TO ${name}`);
    await until(() =>
      database.query(`TRUNCATE ${UNLOGGED}`).then(
        () => true,
        () => false,
      ),
    );
    await admin.query(`DROP DATABASE ${name}_lost`);
    await admin.end();
  }

  /**
   * Renaming needs a database without sessions. Connections are disallowed first, since the service reconnects at once.
   */
  private async alone(statement: string): Promise<void> {
    const { admin, name } = this;
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await until(async () => {
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
      return admin.query(statement).then(
        () => true,
        () => false,
      );
    });
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`).catch(() => undefined);
  }
}
