import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { Role } from '../../src/auth/entities/user.entity.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { BackupRunRepository } from '../../src/transfer/backup/backup-run.repository.js';
import { ScheduledBackups } from '../../src/transfer/backup/scheduled-backups.js';
import { readBackup } from '../../src/transfer/backup/verify-backup.js';
import { AccountApi, type Person } from '../support/account-api.js';
import { MailServer } from '../support/mail-server.js';
import { PageVisitor, shownText } from '../support/page-visitor.js';
import { Workplace } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const DAY = 24 * 60 * 60;
const OWN = /^satchel-\d{8}T\d{6}Z\.zip$/;

let folder: string;
let directory: string;
let mails: MailServer;
let app: TestApp;
let admin: Person;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-backups-'));
  directory = join(folder, 'backups');
  mails = await MailServer.begin();
  app = await aTestApp({
    config: {
      backup: { times: '30 3 * * *', directory, keep: 2 },
      mail: mails.settings,
      publicUrl: new URL('http://127.0.0.1'),
    },
  });
  const users = app.app.get(UserAdministrationService);
  const account = new AccountApi(app);
  admin = await account.verified({ name: 'Grace' });
  const unconfirmed = await account.registered({ name: 'Joan' });
  await account.verified({ name: 'Ada' });
  await users.setRole(admin.email, Role.Administrator);
  await users.setRole(unconfirmed.email, Role.Administrator);
  app.clock.hold();
});
afterAll(async () => {
  await app.close();
  await mails.close();
  rmSync(folder, { recursive: true });
});

const write = (one = app): Promise<void> => one.app.get(ScheduledBackups).writeIfDue();
const files = (): string[] => readdirSync(directory).toSorted();

async function overview(): Promise<string> {
  const visitor = new PageVisitor(app);
  await visitor.logIn(admin);
  return shownText(await visitor.open('/admin').expect(200));
}

async function doctor(): Promise<Finding | undefined> {
  const workplace = new Workplace({
    DATABASE_URL: app.database.url,
    BACKUP_SCHEDULE: '30 3 * * *',
  });
  const { stdout } = await workplace.runHere(['doctor', '--json']);
  workplace.remove();
  const findings = JSON.parse(stdout) as Finding[];
  return findings.find(({ check }) => check === 'backups');
}

describe('scheduled backups', () => {
  it('are not written if BACKUP_SCHEDULE is not set', async () => {
    const other = await aTestApp();

    await write(other);

    expect(await other.database.query('SELECT FROM backup_runs')).toEqual([]);
    await other.close();
  });

  it('are written once for each time of the schedule, and can be read', async () => {
    expect(await doctor()).toMatchObject({ state: 'ok', detail: 'none is due yet' });
    expect(await overview()).toContain('None yet: set BACKUP_SCHEDULE');

    await write();
    await write();

    const [name = '', ...others] = files();
    expect({ others, isOwn: OWN.test(name) }).toEqual({ others: [], isOwn: true });
    expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    const { tables } = await readBackup(join(directory, name));
    expect(tables.find((table) => table.name === 'users')?.rows).toBe(3);
    expect(await doctor()).toMatchObject({ state: 'ok', detail: expect.stringContaining(name) });
    expect(await overview()).toMatch(/Latest backup .*, 1 MB/);
  });

  it('that are missing since the last one are reported by the doctor', async () => {
    const [rows, age] = [app.database, `interval '30 days'`];
    await rows.query(`UPDATE backup_runs SET started_at = started_at - ${age}`);
    const late = await doctor();
    await rows.query(`UPDATE backup_runs SET ended_at = NULL, leased_until = now() + ${age}`);
    const running = await doctor();
    await rows.query('CREATE TABLE kept_runs AS TABLE backup_runs; DELETE FROM backup_runs');
    const fresh = await doctor();
    await rows.query(`UPDATE users SET created_at = created_at - ${age}`);
    const never = await doctor();
    await rows.query(`
      INSERT INTO backup_runs SELECT * FROM kept_runs;
      DROP TABLE kept_runs;
      UPDATE backup_runs SET started_at = started_at + ${age}, ended_at = now(), leased_until = now();
      UPDATE users SET created_at = created_at + ${age}`);

    expect(late).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/one was due at /),
    });
    expect(running).toMatchObject({ state: 'ok', detail: expect.stringContaining('writing one') });
    expect(fresh).toMatchObject({ state: 'ok', detail: 'none is due yet' });
    expect(never).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/^none has succeeded yet, and one was due at /),
    });
  });

  it('are written by one of several instances', async () => {
    const other = await aTestApp({ beside: app });
    app.clock.advance(DAY);

    await Promise.all([write(), write(other)]);

    expect(files()).toHaveLength(2);
    expect(await app.database.query('SELECT FROM backup_runs')).toHaveLength(2);
    await other.close();
  });

  it('replace the oldest backups, but no other file', async () => {
    const [oldest, kept] = files();
    writeFileSync(join(directory, 'satchel-by-hand.zip'), '');
    writeFileSync(join(directory, 'satchel-20260101T000000Z.zip.1.unfinished'), '');
    app.clock.advance(DAY);

    await write();

    const left = files();
    expect(left).toEqual([kept, expect.stringMatching(OWN), 'satchel-by-hand.zip']);
    expect(left).not.toContain(oldest);
  });

  it('never replace themselves, also beside files of a clock that was ahead', async () => {
    const ahead = ['satchel-20990101T000000Z.zip', 'satchel-20990102T000000Z.zip'];
    ahead.forEach((name) => {
      writeFileSync(join(directory, name), '');
    });
    app.clock.advance(DAY);

    await write();

    const [row] = await app.database.query<{ file: string }>(
      'SELECT file FROM backup_runs ORDER BY started_at DESC LIMIT 1',
    );
    expect(files()).toContain(basename(row?.file ?? ''));
    ahead.forEach((name) => {
      rmSync(join(directory, name), { force: true });
    });
  });

  it('of a yearly schedule are written once a year', async () => {
    const yearly = await aTestApp({
      config: { backup: { times: '0 3 1 1 *', directory: join(folder, 'yearly'), keep: 2 } },
    });

    await write(yearly);
    await write(yearly);

    expect(readdirSync(join(folder, 'yearly'))).toHaveLength(1);
    expect(await yearly.database.query('SELECT FROM backup_runs')).toHaveLength(1);
    await yearly.close();
  });

  it('that fail are reported once a day by mail, on pages and by the doctor, and are tried again', async () => {
    const before = files();
    await app.database.query('ALTER TABLE users ADD COLUMN strange text');
    app.clock.advance(DAY);

    await expect(write()).rejects.toThrow('strange');
    await write();
    await app.database.query(`UPDATE backup_runs SET leased_until = now() - interval '1 second'`);
    await expect(write()).rejects.toThrow('strange');
    app.clock.advance(DAY);
    await expect(write()).rejects.toThrow('strange');

    const mail = await mails.mailTo(admin.email);
    expect(mail.raw).toContain('A backup of Satchel failed');
    expect(mail.raw).toContain('strange');
    expect(mails.received.filter(({ raw }) => raw.includes('backup of Satchel'))).toHaveLength(1);
    expect(files()).toEqual(before);
    expect(await overview()).toMatch(/Failed .*strange/);
    expect(await doctor()).toMatchObject({
      state: 'fault',
      detail: expect.stringMatching(/strange.*the latest is /s),
    });

    await app.database.query('ALTER TABLE users DROP COLUMN strange');
    await app.database.query(`UPDATE backup_runs SET leased_until = now() - interval '1 second'`);
    await write();

    expect(files()).toHaveLength(3);
    expect(await doctor()).toMatchObject({ state: 'ok' });
    expect(await overview()).not.toContain('strange');
  });

  it('continue after a crash of the instance, but not while another is written', async () => {
    const crashed = `UPDATE backup_runs SET file = NULL, ended_at = NULL, leased_until = now() + $1::interval
                     WHERE due_at = (SELECT max(due_at) FROM backup_runs)`;
    app.clock.advance(DAY);
    await write();
    const before = files();
    await app.database.query(crashed, ['1 minute']);
    await write();
    app.clock.advance(DAY);
    await write();
    expect(files()).toEqual(before);
    app.clock.advance(-DAY + 1);

    await app.database.query(crashed, ['-1 second']);
    expect(await doctor()).toMatchObject({
      state: 'fault',
      detail: expect.stringContaining('the process ended while it wrote the backup'),
    });
    await write();

    expect(files()).not.toEqual(before);
    expect(await doctor()).toMatchObject({ state: 'ok' });
  });

  it('that end their process three times are not tried again', async () => {
    const before = files();
    await app.database.query(
      `UPDATE backup_runs SET file = NULL, ended_at = NULL, attempts = 3, leased_until = now() - interval '1 second'
       WHERE due_at = (SELECT max(due_at) FROM backup_runs)`,
    );

    await write();

    expect(files()).toEqual(before);
    expect(await doctor()).toMatchObject({ state: 'fault' });
  });

  it('of an instance that has lost its lease change nothing', async () => {
    const runs = app.app.get(BackupRunRepository);
    const dueAt = new Date('2030-01-01T03:30:00Z');
    const first = (await runs.claim(dueAt))!;
    await app.database.query(
      `UPDATE backup_runs SET leased_until = now() - interval '1 second' WHERE due_at = $1`,
      [dueAt],
    );
    const second = (await runs.claim(dueAt))!;

    await runs.succeed(first, { file: 'first', bytes: 1 });
    await runs.fail(first, 'late');
    await runs.succeed(second, { file: 'second', bytes: 1 });

    expect(await runs.findOneBy({ dueAt })).toMatchObject({ file: 'second', failure: null });
  });
});
