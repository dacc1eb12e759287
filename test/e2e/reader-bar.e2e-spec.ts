import type { Response } from 'supertest';

import { aFetcher } from '../support/a-fetcher.js';
import { aPdf } from '../support/a-pdf.js';
import { aVisitor } from '../support/oauth-api.js';
import { timePasses } from '../support/page-times.js';
import {
  formIn,
  headingOf,
  locationOf,
  type PageVisitor,
  shownText,
} from '../support/page-visitor.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WORDS = 'Every plain sentence of this article is there to be read on a small grey screen. ';
const A_MINUTE = '61 seconds';
const WRONG = 'HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nhi';

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host),
  });
});
afterAll(async () => {
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});

const article = (words: string) =>
  ok(`<title>The tide</title><article><h1>The tide</h1><p>${words}${WORDS.repeat(20)}</article>`);
const saved = (name: string) => api.saved(host.url(`/${name}-${api.user.id}`));
const opened = (id: string) => visitor.open(`/read/${id}`).expect(200);

async function anArticle(): Promise<string> {
  host.answer(article('First words. '));
  const id = await saved('tide');
  await opened(id);
  return id;
}

describe('the bar of an article without scripts', () => {
  it('archives, and returns to the list with a notice', async () => {
    const id = await anArticle();

    const answer = await visitor.submit(formIn(await opened(id), '/list/actions'), {
      action: 'archive',
    });

    expect(locationOf(answer)).toBe(`/list?done=archive&items=${id}`);
    expect((await opened(id)).text).toContain('aria-label="Mark unread"');
  });

  it('marks the article as a favorite, and returns to the article', async () => {
    const id = await anArticle();
    const { fields } = formIn(await opened(id), '/list/actions');
    expect((await opened(id)).text).toContain('aria-pressed="false"');

    const answer = await visitor.post('/list/actions', {
      ...fields,
      action: 'favorite',
      back: `/read/${id}`,
    });

    const page = await visitor.open(locationOf(answer)).expect(200);
    expect(page.text).toContain('aria-pressed="true"');
    expect(shownText(page, '[role=status]')).toContain('Added to favorites.');
  });

  it('links to the tags, the original page, the book and the edit page', async () => {
    const id = await anArticle();

    const { text } = await opened(id);

    expect(text).toContain(`href="/list/tags?item=${id}&amp;back=%2Fread%2F${id}"`);
    expect(text).toContain(`href="/read/${id}/export.epub"`);
    expect(text).toContain(`href="/read/${id}/edit"`);
  });

  it('has a form for the text settings, whose missing settings do not change', async () => {
    const id = await anArticle();
    const { action, fields } = formIn(await opened(id), '/read/appearance');
    const { _csrf = '', item = '' } = fields;
    const post = (settings: object) => visitor.post(action, { _csrf, item, ...settings });

    const kept = await post({ face: 'legible', alignment: 'justify' }).expect(303);
    await post({ theme: 'sepia' }).expect(303);
    await post({}).expect(400);
    await post({ alignment: 'centre', theme: 'dark' }).expect(400);

    expect(locationOf(kept)).toBe(`/read/${id}`);
    expect((await opened(id)).text).toMatch(
      /data-theme="sepia" data-size="medium" data-width="medium" data-face="legible" data-spacing="normal" data-alignment="justify"/,
    );
    const json = await post({ theme: 'light' }).set('Accept', 'application/json').expect(200);
    expect(json.body).toEqual({ kept: true });
  });
});

describe('the edit page of an item', () => {
  const shownTags = async (id: string) => tagsOf(await api.item(id));
  const edit = async (id: string, fields: Record<string, string>) =>
    visitor.submit(await visitor.form(`/read/${id}/edit`, `/read/${id}/edit`), fields);

  it('changes the title and the tags, and an empty title shows the title of the page', async () => {
    const id = await anArticle();

    const answer = await edit(id, { title: '  My <tide> ', tags: 'sea, Moon ,sea' });

    expect(locationOf(answer)).toBe(`/read/${id}?done=edited`);
    expect(headingOf(await opened(id))).toBe('My <tide>');
    expect(await shownTags(id)).toEqual(['Moon', 'sea']);

    await edit(id, { title: '', tags: '' });
    expect(headingOf(await opened(id))).toBe('The tide');
    expect(await shownTags(id)).toEqual([]);
  });

  it('changes nothing if a tag is invalid or if there are too many tags', async () => {
    const id = await anArticle();
    const many = Array.from({ length: 51 }, (_, at) => `tag${at}`).join(',');

    for (const tags of ['x'.repeat(101), many]) {
      const refused = await edit(id, { title: 'Not stored', tags });
      expect(refused.status).toBe(400);
      expect(shownText(refused, '[role=alert]')).toContain('Changes not saved');
      expect(refused.text).toContain('value="Not stored"');
    }

    expect(headingOf(await opened(id))).toBe('The tide');
    expect(await shownTags(id)).toEqual([]);
  });

  it('stores the title and the tags of one request if two are sent at once', async () => {
    const id = await anArticle();

    const answers = await Promise.all([
      edit(id, { title: 'one', tags: 'one' }),
      edit(id, { title: 'two', tags: 'two' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await shownTags(id)).toEqual([headingOf(await opened(id))]);
  });

  it('is not available for items of other users and without the token of the form', async () => {
    const id = await anArticle();
    const other = await aVisitor(app);
    const _csrf = await other.csrfToken();

    await other.open(`/read/${id}/edit`).expect(404);
    await other.post(`/read/${id}/edit`, { _csrf, title: 'Theirs', tags: '' }).expect(404);
    await visitor.post(`/read/${id}/edit`, { title: 'No token', tags: '' }).expect(403);
    await visitor.open('/read/nothing/edit').expect(404);

    expect(headingOf(await opened(id))).toBe('The tide');
  });
});

describe('another fetch of an article', () => {
  const fetchAgain = async (id: string): Promise<Response> => {
    const form = formIn(await opened(id), `/read/${id}/fetch`);
    return visitor.open(locationOf(await visitor.submit(form).expect(303))).expect(200);
  };

  it('replaces the article, at most once a minute, and only if the fetch succeeds', async () => {
    const id = await anArticle();
    host.answer(article('Second words. '));
    expect(shownText(await fetchAgain(id), '[role=status]')).toContain('a moment ago');
    expect(shownText(await opened(id))).toContain('First words.');

    await timePasses(app.database, A_MINUTE);
    const page = await fetchAgain(id);
    expect(shownText(page, '[role=status]')).toContain('The article is up to date.');
    expect(shownText(page)).toContain('Second words.');

    host.answer(WRONG);
    await timePasses(app.database, A_MINUTE);
    expect(shownText(await fetchAgain(id))).toContain('Second words.');
  });

  it('does not replace an article that a client has sent', async () => {
    const html = `<title>Mine</title><article><p>${WORDS.repeat(20)}</p></article>`;
    const id = await api.saved(host.url(`/sent-${api.user.id}`), { html });
    const asked = host.heads.length;

    const page = await fetchAgain(id);

    expect(shownText(page, '[role=status]')).toContain('Your browser has saved this page');
    expect(host.heads).toHaveLength(asked);
  });
});

describe('an item without a text', () => {
  const EXTENSION = 'href="/account/extension"';

  it.each([
    ['failed', WRONG, true],
    ['empty', ok('<title>Empty</title><body></body>'), true],
    ['pdf', ok(aPdf('<< /Title (Tides) >>', 'BT ET'), 'Content-Type: application/pdf'), false],
  ])('links to the extension if it may help: %s', async (name, answer, isLinked) => {
    host.answer(answer);

    const { text } = await opened(await saved(name));

    expect(text.includes(EXTENSION)).toBe(isLinked);
    expect(text.includes('Text missing?')).toBe(isLinked);
  });
});
