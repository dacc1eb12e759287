import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ScheduledBackups } from '../../src/transfer/backup/scheduled-backups.js';
import { aFetcher } from '../support/a-fetcher.js';
import { MailServer } from '../support/mail-server.js';
import { aVisitor } from '../support/oauth-api.js';
import { until } from '../support/processes.js';
import { PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { scrape, WITH_METRICS } from '../support/scrape.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const DAY = 24 * 60 * 60;
/** The error of a machine that reaches no name server. */
const noNetwork = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' });

let folder: string;
let mails: MailServer;
let host: PublicHost;
let app: TestApp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-metrics-'));
  mails = await MailServer.begin({ refuse: () => ({ code: 550, text: 'no such mailbox' }) });
  host = await PublicHost.start();
  app = await aTestApp({
    config: {
      ...WITH_METRICS,
      ...{ mail: { ...mails.settings, hasLoginNotices: false }, resolverConcurrency: 1 },
      backup: { times: '30 3 * * *', directory: join(folder, 'backups'), keep: 2 },
      publicUrl: new URL('http://127.0.0.1'),
    },
    fetcher: aFetcher(host, { network: { lookup: () => Promise.reject(noNetwork) } }),
  });
});
afterAll(async () => {
  await app.close();
  await host.stop();
  await mails.close();
  rmSync(folder, { recursive: true });
});

const valueOf = async (name: string, labels: Record<string, string> = {}) =>
  (await scrape(app.url)).value(name, labels);

describe('the metrics', () => {
  it('show pages that cannot be fetched because there is no network', async () => {
    const api = await ReadingListApi.of(app);

    await api.saved('https://satchel.invalid/');

    const postponed = { result: 'postponed' };
    await until(async () => (await valueOf('satchel_page_attempts_total', postponed)) === 1);
    expect(await valueOf('satchel_page_attempts_total', { result: 'fetched' })).toBe(0);
  });

  it('show a mail about security that is given up', async () => {
    const ada = await aVisitor(app);
    await app.database.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [
      ada.user.id,
    ]);

    await ada.submit(await ada.form('/account/devices', '/account/feeds')).expect(303);

    const givenUp = { result: 'given-up' };
    await until(async () => (await valueOf('satchel_security_mails_total', givenUp)) === 1);
  });

  it('show a scheduled backup that fails, until one succeeds', async () => {
    const write = (): Promise<void> => app.app.get(ScheduledBackups).writeIfDue();
    const failed: (number | undefined)[] = [];
    const scraped = async () => failed.push(await valueOf('satchel_backup_failed'));
    app.clock.hold();
    await write();
    await scraped();
    await app.database.query('ALTER TABLE users ADD COLUMN strange text');
    app.clock.advance(DAY);

    await expect(write()).rejects.toThrow('strange');
    await scraped();
    await app.database.query('ALTER TABLE users DROP COLUMN strange');
    app.clock.advance(DAY);
    await write();
    await scraped();

    expect(failed).toEqual([0, 1, 0]);
    expect(await valueOf('satchel_backup_last_success_timestamp_seconds')).toBeGreaterThan(0);
  });
});
