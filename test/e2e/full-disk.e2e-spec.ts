import request, { type Test } from 'supertest';

import { FeedsService } from '../../src/apis/feeds/feeds.service.js';
import { DatabasePing } from '../../src/platform/database/database.module.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import { PageVisitor } from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';
import { WallabagCaller } from '../support/wallabag-caller.js';

const FULL = 'The disk of the service is full';
/** Raises the error that PostgreSQL reports when it cannot extend a table. */
const REFUSE = `
  CREATE FUNCTION refuse_writes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full';
    END $$`;
const TABLES = `
  SELECT relname::text AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;

let app: TestApp;
let client: WallabagCaller;
let reader: CatalogueReader;
let visitor: PageVisitor;
let feed: string;
let itemId: string;

beforeAll(async () => {
  app = await aTestApp({
    config: {
      callLimits: { perUser: 3600, perKey: 100_000 },
      limits: { ...NO_LIMITS, loginPerAccount: 10, loginPerAddress: 100 },
    },
  });
  client = await WallabagCaller.of(app);
  const { user } = client.v3;
  itemId = await client.v3.saved('https://example.com/one');
  await client.v3.saved('https://example.com/two', { tags: 'later' });
  await client.get('entries/exists', { url: 'https://example.com/one' }).expect(200);
  reader = await CatalogueReader.of(app, user);
  visitor = new PageVisitor(app);
  await visitor.logIn(user);
  const feeds = app.app.get(FeedsService);
  await feeds.issue(user);
  feed = (await feeds.pathsOf(user.id))?.tags.replace(/tag\/$/, 'unread.atom') ?? '';
  await fillDisk();
});
afterAll(() => app.close());

/** Makes all last uses old, so that each call would store its own use. */
async function fillDisk(): Promise<void> {
  await app.database.query(`UPDATE sessions SET last_used_at = now() - interval '1 day'`);
  await app.database.query(`UPDATE grants SET last_used_at = now() - interval '1 day'`);
  await app.database.query(REFUSE);
  for (const { name } of await app.database.query<{ name: string }>(TABLES)) {
    await app.database.query(
      `CREATE TRIGGER refuse_writes BEFORE INSERT OR UPDATE OR DELETE ON ${name}
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_writes()`,
    );
  }
}

describe('reads while the database disk is full', () => {
  it.each<[string, () => Test]>([
    ['get', () => client.v3.get()],
    ['a page of get', () => client.v3.get({ count: 1, offset: 1 })],
    ['entries', () => client.get('entries')],
    ['the next page of entries', () => client.get('entries', { perPage: 1, page: 2 })],
    ['an entry', () => client.get('entries/1')],
    [
      'whether an entry exists',
      () => client.get('entries/exists', { url: 'https://example.com/one' }),
    ],
    ['tags', () => client.get('tags')],
    ['the catalogue', () => reader.get('/opds')],
    ['a part of the catalogue', () => reader.get('/opds/unread')],
    ['a feed', () => request(app.url).get(feed)],
    ['the list', () => visitor.open('/list')],
    ['a search', () => visitor.open('/list?search=example')],
    ['an article', () => visitor.open(`/read/${itemId}`)],
    ['the account page', () => visitor.open('/account')],
    ['the login page', () => request(app.url).get('/auth/login')],
    [
      'an export',
      () =>
        request(app.url)
          .get('/v3/export')
          .query({ ...client.v3.credentials, format: 'jsonl' }),
    ],
  ])('return 200: %s', async (_, call) => {
    expect((await call()).status).toBe(200);
  });

  it('return the limit headers although calls cannot be counted', async () => {
    const { headers } = await client.v3.get().expect(200);

    expect(Number(headers['x-limit-user-remaining'])).toBeGreaterThan(0);
  });
});

describe('writes while the database disk is full', () => {
  it.each<[string, () => Test]>([
    ['add', () => client.v3.add({ url: 'https://example.com/three' })],
    [
      'login',
      () => {
        const { email, password } = client.v3.user;
        return request(app.url).post('/login').send({ email, password });
      },
    ],
  ])('%s returns 503 with the reason', async (_, call) => {
    const { status, text, headers } = await call();

    expect({ status, retryAfter: headers['retry-after'] }).toEqual({
      status: 503,
      retryAfter: '1',
    });
    expect(text).toContain(FULL);
  });

  it('a send call returns 503', async () => {
    const { status } = await client.v3.send([{ action: 'archive', item_id: itemId }]);

    expect(status).toBe(503);
  });

  it('a form returns 503 with the reason', async () => {
    const form = await visitor.form('/list', '/list/actions');

    const { status, text } = await visitor.submit(form, { action: 'archive', item: itemId });

    expect(status).toBe(503);
    expect(text).toContain('The disk of this service is full.');
  });

  it('wrong passwords are still rate limited', async () => {
    const { email } = client.v3.user;
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      const answer = await request(app.url).post('/login').send({ email, password: 'a wrong one' });
      statuses.push(answer.status);
    }

    expect(statuses).toContain(429);
    expect(statuses).not.toContain(500);
  });
});

describe('GET /ready while the database disk is full', () => {
  it('returns 200 and reports that writes fail', async () => {
    const ping = jest
      .spyOn(app.app.get(DatabasePing), 'findWriteFailure')
      .mockResolvedValue('No space left on device');

    const { status, body } = await request(app.url).get('/ready');

    const writes = { status: 'down', reason: 'database: cannot write: No space left on device' };
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', error: { writes }, details: { writes } });
    ping.mockRestore();
  });

  it('reports no failure if the database can write temporary files', async () => {
    const { body } = await request(app.url).get('/ready').expect(200);

    expect(body).toMatchObject({ error: {}, details: { writes: { status: 'up' } } });
  });

  it('checks the disk only once for concurrent requests', async () => {
    const ping = app.app.get(DatabasePing);

    const [first, second] = [ping.findWriteFailure(), ping.findWriteFailure()];

    expect(second).toBe(first);
    await first;
  });
});
