import { EventEmitter, once } from 'node:events';
import { readdirSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';

import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { ArchivedArticles } from '../../src/transfer/export/archive/archived-articles.js';
import { ArchivedNotes } from '../../src/transfer/export/archive/archived-notes.js';
import { incompressible } from '../support/a-full-list.js';
import { binaryFiles } from '../support/binary-files.js';
import { exportCall } from '../support/export-call.js';
import { until } from '../support/processes.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { storeArticles } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ITEMS = 500;
const LETTERS = 60_000;

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns a user whose archive is much larger than the buffers of a connection. */
async function aLongList(): Promise<ReadingListApi> {
  const whose = await ReadingListApi.of(app);
  await whose.saved('https://example.com/');
  await app.database.query(
    `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key,
       search_text, number)
     SELECT $1, n, 1, n, n, 'https://example.com/' || n, '', '', '', -n FROM generate_series(2, $2::int) n`,
    [whose.user.id, ITEMS],
  );
  await storeArticles(app.database, whose.user.id, `<p>${incompressible(LETTERS)}</p>`);
  return whose;
}

/** A client that reads an archive only when a test wants it to. */
class SlowClient {
  private readonly parts: Buffer[] = [];
  private readonly reader: AsyncIterator<Buffer>;

  private constructor(readonly response: IncomingMessage) {
    this.reader = response.iterator({ destroyOnReturn: false });
  }

  static async of(whose: ReadingListApi): Promise<SlowClient> {
    const query = new URLSearchParams({ ...whose.credentials, format: 'zip' });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${app.url}/v3/export?${query.toString()}`, resolve).on('error', reject);
    });
    return new SlowClient(response);
  }

  /** Reads until the condition is true, or to the end. Returns all bytes. */
  async read(isEnough = (): boolean => false): Promise<Buffer> {
    while (!isEnough()) {
      const { done, value } = await this.reader.next();
      if (done === true) {
        break;
      }
      this.parts.push(value);
    }
    return Buffer.concat(this.parts);
  }
}

const spooledFiles = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('satchel-export-'));

/** Counts the articles that archives have begun to write. */
class ArticleCount {
  private readonly files = jest.spyOn(app.app.get(ArchivedArticles, { strict: false }), 'files');

  get value(): number {
    return this.files.mock.calls.length;
  }

  /** Waits until the number stays the same. */
  async settled(): Promise<number> {
    let before = -1;
    await until(async () => {
      const last = before;
      before = this.value;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return last === this.value;
    }, 'an archive that writes nothing');
    return before;
  }
}

/** Starts an archive, and stops reading at its first articles. */
async function stalled(): Promise<{ slow: SlowClient; articles: ArticleCount }> {
  const articles = new ArticleCount();
  const slow = await SlowClient.of(api);
  await slow.read(() => articles.value > 0);
  return { slow, articles };
}

describe('an archive for a slow client', () => {
  beforeEach(async () => {
    api = await aLongList();
  });

  it('is written only as fast as it is read, without a transaction', async () => {
    const { slow, articles } = await stalled();

    expect(slow.response.statusCode).toBe(200);
    expect(await articles.settled()).toBeLessThan(ITEMS);
    await until(async () => {
      const open = await app.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
         AND pid <> pg_backend_pid()`,
      );
      return open.length === 0;
    }, 'a database at rest');
    expectRefusal(await api.post('/v3/export', { format: 'zip' }), 503, 199);

    const files = await binaryFiles(await slow.read());
    expect([...files.keys()].filter((path) => path.startsWith('articles/'))).toHaveLength(ITEMS);
  });

  it('ends when the client disconnects', async () => {
    const before = spooledFiles();
    const { slow, articles } = await stalled();
    const written = await articles.settled();
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(ITEMS - 50);
    slow.response.destroy();

    await until(async () => (await exportCall(app, api, { format: 'netscape' })).status === 200);
    expect(await articles.settled()).toBeLessThan(Math.min(ITEMS, written + 3));
    await until(() => spooledFiles().every((name) => before.includes(name)), 'an empty folder');
    expect(app.log()).not.toMatch(/"level":[56]0/);
  });

  it('leaves room for the archives and the other exports of other users', async () => {
    const [bob, eve] = [await aLongList(), await ReadingListApi.of(app)];
    const both = [await SlowClient.of(api), await SlowClient.of(bob)];

    expect(both.map(({ response }) => response.statusCode)).toEqual([200, 200]);
    await eve.post('/v3/export', { format: 'zip' }).expect(200);
    await eve.post('/v3/export', { format: 'jsonl' }).expect(200);

    const archives = await Promise.all(both.map((one) => one.read()));
    for (const archive of archives) {
      expect((await binaryFiles(archive)).has('index.html')).toBe(true);
    }
  });

  it('breaks off if the account is deleted, and is no error of the service', async () => {
    const { slow } = await stalled();
    await app.app.get(UserAdministrationService, { strict: false }).delete(api.user.email);

    await expect(slow.read()).rejects.toThrow('aborted');

    expect(app.log()).not.toMatch(/"level":[56]0/);
  });

  it('breaks off visibly if the database fails', async () => {
    const { slow } = await stalled();
    await app.database.query('ALTER TABLE pages RENAME TO gone');

    await expect(slow.read()).rejects.toThrow('aborted');

    await app.database.query('ALTER TABLE gone RENAME TO pages');
    expect(app.log()).toMatch(/"level":50/);
  });
});

describe('the archives of many users', () => {
  const users = (count: number): Promise<readonly ReadingListApi[]> =>
    Promise.all(Array.from({ length: count }, () => ReadingListApi.of(app)));
  const statusOf = async (whose: ReadingListApi): Promise<number> =>
    (await whose.post('/v3/export', { format: 'zip' })).status;
  const notes = (): ArchivedNotes => app.app.get(ArchivedNotes, { strict: false });

  /** Starts an archive for each user, one after the other. Returns their statuses. */
  async function started(users: readonly ReadingListApi[]): Promise<readonly Promise<number>[]> {
    const first = jest.mocked(notes()).itemIds;
    const statuses: Promise<number>[] = [];
    for (const whose of users) {
      statuses.push(statusOf(whose));
      await until(() => first.mock.calls.length === statuses.length, 'an archive that has begun');
    }
    return statuses;
  }

  it('are refused while ten archives are sent', async () => {
    const [eve, ...others] = await users(11);
    const gate = new EventEmitter();
    const opened = once(gate, 'open').then(() => new Set<string>());
    jest.spyOn(notes(), 'itemIds').mockReturnValue(opened);
    const statuses = await started(others);

    expectRefusal(await eve!.post('/v3/export', { format: 'zip' }), 503, 199);

    gate.emit('open');
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    // The end of a download reaches the client a moment before the service counts it.
    await until(async () => (await statusOf(eve!)) === 200, 'an archive after the others');
  });

  it('prepare two files at the same time', async () => {
    const four = await users(4);
    await Promise.all(four.map((whose) => whose.saved('https://example.com/')));
    const gate = new EventEmitter();
    const opened = once(gate, 'open').then(() => undefined);
    jest.spyOn(notes(), 'itemIds');
    const step = jest.spyOn(notes(), 'of').mockReturnValue(opened);
    const statuses = await started(four);
    await new Promise((later) => setTimeout(later, 500));

    expect(step).toHaveBeenCalledTimes(2);

    gate.emit('open');
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
    expect(step).toHaveBeenCalledTimes(4);
  });
});
