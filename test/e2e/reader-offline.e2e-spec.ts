import type { Response } from 'supertest';

import { aVisitor } from '../support/oauth-api.js';
import { headingOf, PageVisitor } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ARTICLE = `<title>Harbour</title><article><p>Lamps burn late. ${'Plain words. '.repeat(60)}</p></article>`;

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let id: string;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  id = await api.saved('https://harbour.example/', { html: ARTICLE, tags: 'sea' });
});

/** Sends a form as the service worker does: with the token of the index, and for JSON. */
async function sent(path: string, fields: Record<string, string>): Promise<Response> {
  const { body } = await visitor.open('/list/offline.json').expect(200);
  const form = { _csrf: String(body.csrfToken), ...fields };
  return visitor.post(path, form).set('Accept', 'application/json');
}

const answerOf = ({ status, body }: Response): [number, unknown] => [status, body];

const annotations = async () => (await api.item(id))?.annotations ?? [];

describe('a queued form', () => {
  it('that saves a page is answered with JSON, and has the same effect twice', async () => {
    for (const tags of ['late', 'late']) {
      const answer = await sent('/save', { url: 'https://late.example/', tags });
      expect(answerOf(answer)).toEqual([200, { done: true }]);
    }

    const urls = (await api.items({ sort: 'newest' })).map(({ given_url: url }) => url);
    expect(urls).toEqual(['https://late.example/', 'https://harbour.example/']);
  });

  it('that adds a highlight has the same effect twice', async () => {
    const fields = { quote: 'Lamps burn late.', before: '', note: 'so' };
    for (const form of [fields, fields]) {
      expect(answerOf(await sent(`/read/${id}/highlights`, form))).toEqual([200, { done: true }]);
    }

    expect((await annotations()).map(({ quote }) => quote)).toEqual(['Lamps burn late.']);
    await sent(`/read/${id}/highlights`, { ...fields, note: 'another note' });
    expect(await annotations()).toHaveLength(2);
  });

  it('that changes a highlight or an item is answered with JSON', async () => {
    await sent(`/read/${id}/highlights`, { quote: 'Lamps burn late.', note: '' });
    const highlight = (await annotations())[0]?.annotation_id ?? '';

    const answers = [
      await sent(`/read/${id}/highlights/note`, { highlight, note: 'so' }),
      await sent(`/read/${id}/highlights/delete`, { highlight }),
      await sent(`/read/${id}/edit`, { title: 'Lights', tags: 'sea, night' }),
    ];

    expect(answers.map(answerOf)).toEqual(answers.map(() => [200, { done: true }]));
    expect(await annotations()).toEqual([]);
    expect((await api.items({ tag: 'night' })).length).toBe(1);
    expect((await sent(`/read/${id}/highlights/delete`, { highlight })).status).toBe(404);
  });

  it.each([
    ['/save', { url: 'javascript:alert(1)' }],
    ['/read/ID/highlights', { quote: 'never written' }],
    ['/read/ID/edit', { title: 'x', tags: 'y'.repeat(200) }],
  ])('that is invalid is rejected with a reason: %s', async (path, fields) => {
    const { status, body } = await sent(path.replace('ID', id), fields);

    expect(status).toBe(400);
    expect([(body as { message: unknown }).message].flat().join('')).not.toBe('');
  });
});

describe('pages without a network', () => {
  it.each([
    ['/offline/save', 'No network'],
    ['/offline/tags', 'No network'],
  ])('are the same for all users, and contain no token: %s', async (path, heading) => {
    const [his, hers] = [await new PageVisitor(app).open(path), await visitor.open(path)];

    expect(headingOf(hers)).toBe(heading);
    expect(hers.text).toBe(his.text);
    expect(hers.text).not.toContain('_csrf');
  });

  it('know the tags of the items', async () => {
    const { body } = await visitor.open('/list/offline.json').expect(200);

    expect(body.items).toMatchObject([{ id, tags: ['sea'] }]);
  });
});
