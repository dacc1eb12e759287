import { readdirSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';

import request from 'supertest';

import { Permission } from '../../src/auth/consumers/permission.js';
import { compressedText } from '../../src/lib/util/compressed-text.js';
import { exportCall } from '../support/export-call.js';
import { PageVisitor } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { unzipped } from '../support/unzipped.js';

const TIME = 1_763_800_000;
const HOSTILE = 'He said "hi",\n</a> \u202eשלום 🧺';
const HOSTILE_TITLE = HOSTILE.replace('\u202e', '');

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const exported = (query: object, whose = api) => exportCall(app, whose, query);

/** Returns the objects of a JSON Lines export, without the first line. */
const linesOf = async (query: object = {}, whose = api): Promise<Record<string, unknown>[]> => {
  const { body } = await exported({ format: 'jsonl', ...query }, whose).expect(200);
  const [head, ...lines] = String(body).trimEnd().split('\n');
  expect(head).toBe('{"satchel":1}');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

const spooledFiles = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('satchel-export-'));

/** Waits for the end of new spooled files. Other suites create and delete files too; a leaked file would remain. */
async function untilSpooledFilesAreOnly(before: readonly string[]): Promise<void> {
  await until(() => spooledFiles().every((name) => before.includes(name)), 'an empty folder');
}

describe('GET /v3/export', () => {
  it('returns all data of the items of the user, and no items of other users', async () => {
    const other = await ReadingListApi.of(app);
    await other.saved('https://example.com/secret');
    await api.results(
      { action: 'add', url: 'https://example.com/a', title: HOSTILE, tags: 'x,y z', time: TIME },
      { action: 'favorite', url: 'https://example.com/a', time: TIME + 1 },
      { action: 'archive', url: 'https://example.com/a', time: TIME + 2 },
      { action: 'add', url: 'https://example.com/gone', time: TIME },
      { action: 'delete', url: 'https://example.com/gone' },
      {
        ...{ action: 'add_annotation', url: 'https://example.com/a', time: TIME + 3 },
        annotation: { annotation_id: 'n1', quote: 'q', patch: 'p', version: '2' },
      },
    );

    expect(await linesOf()).toEqual([
      {
        ...{ url: 'https://example.com/a', title: HOSTILE_TITLE, prefers_given_title: true },
        ...{ tags: ['x', 'y z'], status: 'archive', favorite: true },
        ...{ time_added: TIME, time_updated: expect.any(Number) },
        ...{ time_read: TIME + 2, time_favorited: TIME + 1, number: 1 },
        annotations: [
          {
            ...{ annotation_id: 'n1', quote: 'q', patch: 'p', version: '2' },
            ...{ created_at: TIME + 3, color: 'yellow' },
          },
        ],
      },
    ]);
  });

  it('returns the title of a fetched page, and the article only if articles is set', async () => {
    const itemId = await api.saved('https://example.com/read');
    const [page] = await app.database.query<{ page_id: string }>(
      `INSERT INTO pages (page_key, url, host, article) VALUES ('\\x01', '', '', $1) RETURNING page_id`,
      [await compressedText('<p>It begins.</p>')],
    );
    await app.database.query(
      `UPDATE items SET resolved_id = $1, resolved_title = 'Found', word_count = 2 WHERE item_id = $2`,
      [page!.page_id, itemId],
    );

    const [plain] = await linesOf();
    const [whole] = await linesOf({ articles: '1' });

    expect(plain).toMatchObject({ title: 'Found' });
    expect(plain).not.toHaveProperty('page');
    expect(whole).toEqual({
      ...plain,
      page: expect.objectContaining({ title: 'Found', word_count: 2 }),
      article: '<p>It begins.</p>',
    });
  });

  it.each([
    ['jsonl', 'application/x-ndjson', 'satchel.jsonl'],
    ['pocket-csv', 'application/zip', 'pocket.zip'],
    ['pocket-html', 'text/html; charset=utf-8', 'ril_export.html'],
    ['netscape', 'text/html; charset=utf-8', 'bookmarks.html'],
    ['wallabag', 'application/json; charset=utf-8', 'wallabag.json'],
  ])('returns an empty list in the format %s as a file download', async (format, type, name) => {
    const { headers, body } = await exported({ format }).expect(200);

    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': String((body as Buffer).length),
      'x-source': 'Pocket',
    });
    expect((body as Buffer).length).toBeGreaterThan(2);
  });

  it('returns the CSV archive of Pocket oldest first and its HTML file newest first', async () => {
    await api.results(
      ...[1, 3, 2].map((n) => ({
        ...{ action: 'add', url: `https://example.com/${n}`, title: `T${n}`, time: TIME + n },
      })),
    );

    const zip = await unzipped((await exported({ format: 'pocket-csv' })).body as Buffer);
    const html = String((await exported({ format: 'pocket-html' })).body);

    expect(Object.keys(zip)).toEqual(['part_000000.csv']);
    expect(zip['part_000000.csv']!.match(/https:[^,]+/g)).toEqual(
      [1, 2, 3].map((n) => `https://example.com/${n}`),
    );
    expect(html.match(/T\d/g)).toEqual(['T3', 'T2', 'T1']);
  });

  it('accepts POST', async () => {
    await api.post('/v3/export', { format: 'netscape' }).expect(200);
  });

  it.each([
    ['an unknown format', { format: 'docx' }],
    ['a format of every object', { format: 'constructor' }],
    ['no format', {}],
  ])('rejects %s', async (_, query) => {
    const response = await request(app.url)
      .get('/v3/export')
      .query({ ...api.credentials, ...query });

    expectRefusal(response, 400, 130);
  });

  it('requires the permission to retrieve and an access token', async () => {
    const writer = await ReadingListApi.of(app, { permissions: [Permission.Add] });
    const asked = (query: object) =>
      request(app.url)
        .get('/v3/export')
        .query({ format: 'jsonl', ...query });

    expectRefusal(await asked(writer.credentials), 403, 151);
    expectRefusal(await asked({ consumer_key: api.consumerKey }), 401, 107);
  });
});

describe('an export to a slow client', () => {
  beforeEach(async () => {
    await api.saved('https://example.com/');
    await app.database.query(
      `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, given_title, title_key, url_key,
         search_text, number)
       SELECT $1, n, 1, n, n, 'https://example.com/' || n, repeat('x', 1000), '', '', '', -n
       FROM generate_series(1, 15000) n`,
      [api.user.id],
    );
  });

  const begun = (): Promise<IncomingMessage> => {
    const query = new URLSearchParams({ ...api.credentials, format: 'jsonl' });
    return new Promise((resolve, reject) => {
      get(`${app.url}/v3/export?${query.toString()}`, resolve).on('error', reject);
    });
  };
  /** The service polls in short transactions. An export's transaction would be open as long as its client reads. */
  const untilNoTransactionIsOpen = (): Promise<void> =>
    until(async () => {
      const open = await app.database.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
         AND pid <> pg_backend_pid()`,
      );
      return open.length === 0;
    }, 'a database at rest');

  it('keeps no database transaction open, and a second export of the user returns 503', async () => {
    const before = spooledFiles();
    const slow = await begun();

    expect(slow.statusCode).toBe(200);
    await untilNoTransactionIsOpen();
    expectRefusal(await api.post('/v3/export', { format: 'jsonl' }), 503, 199);
    await (await ReadingListApi.of(app)).post('/v3/export', { format: 'jsonl' }).expect(200);

    let bytes = 0;
    for await (const part of slow) {
      bytes += (part as Buffer).length;
    }
    expect(String(bytes)).toBe(slow.headers['content-length']);
    await until(async () => (await exported({ format: 'jsonl' })).status === 200);
    await untilSpooledFilesAreOnly(before);
  });

  it('deletes its temporary file if the client disconnects', async () => {
    const before = spooledFiles();
    const gone = await begun();
    gone.destroy();

    await until(async () => (await exported({ format: 'netscape' })).status === 200);
    await untilSpooledFilesAreOnly(before);
    await untilNoTransactionIsOpen();
    expect(app.log()).not.toContain('the request failed');
  });
});

describe('the export form on the account page', () => {
  it('returns the list as a file', async () => {
    await api.saved('https://example.com/mine');
    const ada = new PageVisitor(app);
    await ada.logIn(api.user);

    const form = await ada.form('/account/data', '/account/export');
    const { headers, text } = await ada.submit(form, { format: 'netscape' }).expect(200);

    expect(headers['content-disposition']).toBe('attachment; filename="bookmarks.html"');
    expect(text).toContain('https://example.com/mine');
  });

  it('rejects requests without a form token, without a session or with an unknown format', async () => {
    const ada = new PageVisitor(app);
    await ada.post('/account/export', { format: 'jsonl' }).expect(403);
    await ada.logIn(api.user);
    const form = await ada.form('/account/data', '/account/export');

    await ada.post('/account/export', { format: 'jsonl' }).expect(403);
    await ada.submit(form, { format: 'docx' }).expect(400);
  });
});
