import { DataSource } from 'typeorm';

import { AuditRepository } from '../../src/auth/audit/audit.repository.js';
import { AuditRetention } from '../../src/auth/audit/audit-retention.js';
import { AuditKind } from '../../src/auth/entities/audit-kinds.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const ORIGIN = { device: 'Firefox on Linux', address: '192.0.2.1' };

let database: TestDatabase;
let instances: DataSource[];
let here: AuditRepository;
/** Another instance of the service on the same database. */
let elsewhere: AuditRepository;
let users = 0;

interface Row {
  readonly kind: string;
  readonly address: string;
  readonly device: string;
  readonly count: number;
}

const aUser = (): string => String((users += 1));
const rowsOf = (user: string): Promise<Row[]> =>
  database.query<Row>(
    'SELECT kind, address, device, count FROM audit_entries WHERE user_id = $1 ORDER BY id',
    [user],
  );
const total = (rows: readonly Row[]): number => rows.reduce((sum, { count }) => sum + count, 0);

beforeAll(async () => {
  database = await aDatabase();
  const open = () => new DataSource(dataSourceOptions(database.connection, 5)).initialize();
  instances = await Promise.all([open(), open()]);
  [here, elsewhere] = instances.map(({ manager }) => AuditRepository.in(manager)) as [
    AuditRepository,
    AuditRepository,
  ];
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.destroy()));
  await database.drop();
});

describe('audit entries', () => {
  it('count refused logins from one network in one row, on two instances at once', async () => {
    const user = aUser();
    const attempts = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? here : elsewhere).refuse(user, { device: `d${n}`, address: '192.0.2.7' }),
    );

    await Promise.all(attempts);

    const rows = await rowsOf(user);
    expect(total(rows)).toBe(40);
    // The attempts can meet the end of an hour.
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(rows[0]).toMatchObject({ kind: 'login_refused', address: '192.0.2.7', device: '' });
  });

  it('count refused logins from one IPv6 network together', async () => {
    const user = aUser();

    await here.refuse(user, { device: '', address: '2001:db8:1:2::1' });
    await here.refuse(user, { device: '', address: '2001:db8:1:2:ffff::9' });

    const rows = await rowsOf(user);
    expect(total(rows)).toBe(2);
    expect(new Set(rows.map(({ address }) => address)).size).toBe(1);
  });

  it('bound the rows of refused logins, and keep room for the logins of the user', async () => {
    const user = aUser();
    for (let n = 0; n < 250; n += 1) {
      await here.refuse(user, { device: '', address: `198.51.100.${n}` });
    }
    await here.login({ id: user, origin: ORIGIN });

    const rows = await rowsOf(user);
    expect(rows.length).toBeLessThanOrEqual(203);
    expect(total(rows)).toBe(251);
    expect(rows.filter(({ address }) => address === '').length).toBeGreaterThanOrEqual(1);
    expect(rows.at(-1)).toEqual({ kind: 'login', ...ORIGIN, count: 1 });
  });

  it('bound the rows of a user who repeats an act', async () => {
    const user = aUser();
    for (let n = 0; n < 230; n += 1) {
      await here.act({ id: user, origin: ORIGIN }, AuditKind.KeyCreated, { name: `key ${n}` });
    }

    const rows = await rowsOf(user);
    expect(rows.length).toBeLessThanOrEqual(202);
    expect(total(rows)).toBe(230);
  });

  it('count logins of a program that logs in for every call in one row', async () => {
    const user = aUser();
    for (let n = 0; n < 5; n += 1) {
      await here.login({ id: user, origin: ORIGIN });
    }
    await here.login({ id: user, origin: { ...ORIGIN, address: '192.0.2.2' } });

    const rows = await rowsOf(user);
    expect(total(rows)).toBe(6);
    expect(rows.length).toBeLessThanOrEqual(4);
    expect(new Set(rows.map(({ address }) => address))).toEqual(
      new Set(['192.0.2.1', '192.0.2.2']),
    );
  });
});

describe('AuditRetention', () => {
  it('deletes old entries, on two instances at once', async () => {
    const user = aUser();
    await database.query(
      `INSERT INTO audit_entries (user_id, actor, kind, at, address, device, details, is_refusal)
       SELECT $1::bigint, 'user', 'login', now() - make_interval(days => CASE WHEN n <= 20 THEN 181 ELSE 179 END),
         '', '', '{}', false
       FROM generate_series(1, 30) n`,
      [user],
    );

    await Promise.all([new AuditRetention(here).sweep(), new AuditRetention(elsewhere).sweep()]);

    expect(await rowsOf(user)).toHaveLength(10);
  });
});
