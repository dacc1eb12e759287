import request from 'supertest';

import { Permission } from '../../src/auth/consumers/permission.js';
import { ImportApi } from '../support/import-api.js';
import { codeOf, ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { importMegabytes: 1 } });
});
afterAll(() => app.close());

async function aPerson(): Promise<{ api: ReadingListApi; imports: ImportApi }> {
  const api = await ReadingListApi.of(app);
  return { api, imports: new ImportApi(app, api) };
}

const HEADER = 'title,url,time_added,tags,status';
const csv = (...rows: readonly string[]): string => [HEADER, ...rows].join('\n');
const TWO = 'https://example.com/a\nhttps://example.com/b\n';

describe('an import', () => {
  it('imports title, tags, status and time of each row, and reports counts and row errors', async () => {
    const { api, imports } = await aPerson();

    const job = await imports.imported(
      csv(
        '"Some, title",https://example.com/a,1695851847,tag one|tag two,unread',
        'no address,,1695850001,,unread',
        'https://example.com/b,https://example.com/b,1695850000,,archive',
      ),
    );

    expect(job).toMatchObject({ state: 'done', format: 'pocket-csv', rows: 3, rows_done: 3 });
    expect(job).toMatchObject({ added: 2, changed: 0, unchanged: 0, refused: 1, incomplete: 0 });
    const [a, b] = await api.items({ state: 'all', sort: 'newest', detailType: 'complete' });
    expect(a).toMatchObject({ given_title: 'Some, title', status: '0', time_added: '1695851847' });
    expect(tagsOf(a)).toEqual(['tag one', 'tag two']);
    expect(b).toMatchObject({ given_title: '', status: '1', time_read: '1695850000' });
    expect(await imports.remarks(job.id)).toEqual([expect.stringMatching(/^2,,3,refused,/)]);
  });

  it('changes nothing the second time, and clients get an empty delta', async () => {
    const { api, imports } = await aPerson();
    await imports.imported(csv('A,https://example.com/a,1,x,unread'));
    const { since } = await api.found();

    const again = await imports.imported(csv('A,https://example.com/a,1,x,unread'));

    expect(again).toMatchObject({ state: 'done', added: 0, changed: 0, unchanged: 1 });
    expect((await api.found({ since })).list).toEqual({});
  });

  it('ignores future and invalid times with a row error, and changes nothing the second time', async () => {
    const { imports } = await aPerson();
    const file = csv('A,https://example.com/a,9999999999,,unread', 'B,https://b.example,soon,,');
    const first = await imports.imported(file);
    expect(first).toMatchObject({ added: 2, incomplete: 2 });
    expect(await imports.remarks(first.id)).toContainEqual(
      '1,,2,incomplete,"Left out: a time that is none, or is still to come.",https://example.com/a',
    );

    expect(await imports.imported(file)).toMatchObject({ changed: 0, unchanged: 2, incomplete: 2 });
  });

  it('keeps later changes of the user, and restores deleted items only with restore_deleted', async () => {
    const { api, imports } = await aPerson();
    const file = csv(
      ...['a', 'b', 'c', 'd'].map((name) => `,https://example.com/${name},9,x,unread`),
    );
    await imports.imported(file);
    await api.sent(
      { action: 'archive', url: 'https://example.com/a' },
      { action: 'delete', url: 'https://example.com/b' },
      { action: 'tag_rename', old_tag: 'x', new_tag: 'y' },
      { action: 'tags_clear', url: 'https://example.com/c' },
    );

    const again = await imports.imported(file);

    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 3, deleted: 1 });
    const items = await api.items({ state: 'all', detailType: 'complete', sort: 'title' });
    expect(items.map((item) => [item.status, tagsOf(item)])).toEqual([
      ...[
        ['1', ['y']],
        ['0', []],
        ['0', ['y']],
      ],
    ]);
    const restored = await imports.imported(file, { restore_deleted: '1' });
    expect(restored).toMatchObject({ added: 1, unchanged: 3, deleted: 0 });
  });

  it('requests its pages with a lower priority than pages that clients save', async () => {
    const { api, imports } = await aPerson();
    await imports.imported(TWO);
    await api.saved('https://example.com/own');

    const rows = await app.database.query<{ url: string; priority: number }>(
      `SELECT url, priority FROM page_requests WHERE user_id = ${api.user.id} ORDER BY url`,
    );
    expect(rows.map(({ priority }) => priority)).toEqual([1, 1, 0]);
  });

  it('fails after 10 attempts that ended the process, and the next import succeeds', async () => {
    const { api, imports } = await aPerson();
    const [row] = await app.database.query<{ id: string }>(
      `WITH made AS (
         INSERT INTO imports (user_id, file_name, restores_deleted, state, attempts, lease, leased_until)
         VALUES (${api.user.id}, 'x', false, 'running', 10, gen_random_uuid(), now()) RETURNING id)
       INSERT INTO import_chunks SELECT id, 0, convert_to('https://example.com/a', 'UTF8') FROM made
       RETURNING import_id::text AS id`,
    );
    const job = await imports.ended(row!.id);

    expect(job).toMatchObject({ state: 'failed', added: 0 });
    expect(job.failure).toContain('could not go on');
    expect(await imports.imported(TWO)).toMatchObject({ state: 'done', added: 2 });
  });

  it('fails if its file has ended two reading threads, and the next import succeeds', async () => {
    const { api, imports } = await aPerson();
    const [row] = await app.database.query<{ id: string }>(
      `WITH made AS (
         INSERT INTO imports (user_id, file_name, restores_deleted, state, attempts, readers_ended, lease, leased_until)
         VALUES (${api.user.id}, 'x', false, 'running', 2, 1, gen_random_uuid(), now()) RETURNING id)
       INSERT INTO import_chunks SELECT id, 0, convert_to('https://example.com/a', 'UTF8') FROM made
       RETURNING import_id::text AS id`,
    );

    const job = await imports.ended(row!.id);

    expect(job).toMatchObject({ state: 'failed', added: 0 });
    expect(job.failure).toContain('ends what reads it');
    expect(await imports.imported(TWO)).toMatchObject({ state: 'done', added: 2 });
  });

  it('rejects a row with an overlong cell, imports the other rows, and blocks no other requests', async () => {
    const { imports } = await aPerson();
    const cell = `"[""${'\\""'.repeat(60_000)}"`;
    const rows = [`https://a.example,${cell}`, 'https://b.example,b'];

    const [job, health] = await Promise.all([
      imports.imported(`url,tags\n${rows.join('\n')}`),
      request(app.url).get('/health'),
    ]);

    expect(job).toMatchObject({ state: 'done', added: 1, refused: 1 });
    expect((await imports.remarks(job.id))[0]).toContain('more than 10000 characters');
    expect(health.status).toBe(200);
  });

  it('is listed, and a cancel call after its end returns it unchanged', async () => {
    const { api, imports } = await aPerson();
    const done = await imports.imported(TWO);
    const { body } = await imports.get('/v3/import').expect(200);
    expect(body).toEqual({ status: 1, imports: [done] });

    const answer = await api.post(`/v3/import/${done.id}/cancel`).expect(200);
    expect(answer.body.import).toEqual(done);
  });
});

describe('an upload to /v3/import', () => {
  it('needs the permissions add and modify, and credentials before the file', async () => {
    for (const permissions of [[Permission.Add, Permission.Retrieve], [Permission.Modify]]) {
      const api = await ReadingListApi.of(app, { permissions });
      expect(codeOf(await new ImportApi(app, api).upload(TWO))).toBe('403/151');
    }
    const late = await request(app.url).post('/v3/import').attach('file', Buffer.from(TWO), 'x');
    expect(codeOf(late)).toBe('400/138');
    expect(late.headers).toMatchObject({ 'x-error-code': '138', 'x-source': 'Pocket' });
  });

  it.each([
    ['without a file', 400, (one: request.Test) => one.field('x', '1')],
    [
      'of too many bytes',
      413,
      (one: request.Test) => one.attach('file', Buffer.alloc(1024 * 1024 + 1), 'x'),
    ],
    [
      'with a flag that is none',
      400,
      (one: request.Test) =>
        one.field('restore_deleted', 'perhaps').attach('file', Buffer.from(TWO), 'x'),
    ],
    [
      'with an unknown choice for folders',
      400,
      (one: request.Test) => one.field('folders', 'list').attach('file', Buffer.from(TWO), 'x'),
    ],
    ['that is no multipart body', 400, (one: request.Test) => one.send({})],
    [
      'with a member behind the file, which would be overlooked',
      400,
      (one: request.Test) =>
        one.attach('file', Buffer.from(TWO), 'x').field('restore_deleted', '1'),
    ],
    [
      'with two files',
      400,
      (one: request.Test) =>
        one.attach('file', Buffer.from(TWO), 'x').attach('more', Buffer.from(TWO), 'y'),
    ],
  ] as const)('%s is rejected and creates no import', async (_, status, fill) => {
    const { api, imports } = await aPerson();
    const answer = await fill(request(app.url).post('/v3/import').query(api.credentials));

    expect(codeOf(answer)).toBe(`${status}/130`);
    expect((await imports.get('/v3/import')).body.imports).toEqual([]);
  });

  it('creates no import if it is aborted, and the next upload succeeds', async () => {
    const { api, imports } = await aPerson();
    const query = new URLSearchParams(api.credentials).toString();
    const stream = new ReadableStream({
      start(controller) {
        const head =
          '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhttps://a';
        controller.enqueue(new TextEncoder().encode(head));
        setTimeout(() => {
          controller.error(new Error('gone'));
        }, 100);
      },
    });
    const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    await expect(fetch(`${app.url}/v3/import?${query}`, { ...init, headers })).rejects.toThrow();

    for (;;) {
      const { status } = await imports.upload(TWO);
      if (status === 200) {
        break;
      }
      expect(status).toBe(409);
    }
    expect((await imports.get('/v3/import')).body.imports).toHaveLength(1);
    expect(app.log()).not.toContain('database_unavailable');
  });

  it('creates a failed import with the reason if no format matches', async () => {
    const { imports } = await aPerson();
    const job = await imports.imported(Buffer.from([0, 1, 2, 3]));

    expect(job).toMatchObject({ state: 'failed', added: 0 });
    expect(job.failure).toContain('no export that can be imported');
  });
});

describe('an import of another user', () => {
  it.each(['', '/remarks'])('returns 404 at /v3/import/ID%s', async (path) => {
    const [ada, eve] = [await aPerson(), await aPerson()];
    const { id } = await ada.imports.imported(TWO);

    expect(codeOf(await eve.imports.get(`/v3/import/${id}${path}`))).toBe('404/130');
    expect(codeOf(await eve.imports.get(`/v3/import/nonsense${path}`))).toBe('404/130');
    expect(codeOf(await eve.api.post(`/v3/import/${id}/cancel`))).toBe('404/130');
  });
});
