import type { Response } from 'supertest';

import { aVisitor } from '../support/oauth-api.js';
import { formIn, locationOf, type PageVisitor } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WORDS = 'Plain words about the harbour and its lamps. '.repeat(20);

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});

/** Saves an item for each title, with its tags, and returns the ids of the items. */
async function saved(titles: readonly string[], tags = ''): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) {
    const html = `<title>${title}</title><article><h1>${title}</h1><p>${WORDS}</p></article>`;
    ids.push(await api.saved(`https://${title.toLowerCase()}.example/`, { html, title, tags }));
  }
  return ids;
}

const unescaped = (text: string): string => text.replaceAll('&amp;', '&');

/** Returns the links of a list page to articles, in order. */
const linksIn = ({ text }: Response): string[] =>
  [...text.matchAll(/<h2><a [^>]*href="([^"]+)"/g)].map(([, href = '']) => unescaped(href));

const neighbourIn = ({ text }: Response, rel: 'next' | 'prev'): string | undefined => {
  const [, href] = new RegExp(`<a href="([^"]+)" rel="${rel}" data-key`).exec(text) ?? [];
  return href === undefined ? undefined : unescaped(href);
};

/** Opens the articles of a list one after the other with the links to the next article. */
async function walked(list: string): Promise<string[]> {
  const [first = ''] = linksIn(await visitor.open(list).expect(200));
  const paths: string[] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    paths.push(path);
    path = neighbourIn(await visitor.open(path).expect(200), 'next');
  }
  return paths;
}

const ALL = ['Birch', 'Alder', 'Cedar', 'Dune'] as const;

describe('the articles next to an article', () => {
  it.each([
    ['/list', ['Dune', 'Cedar', 'Alder', 'Birch']],
    ['/list?sort=oldest', ['Birch', 'Alder', 'Cedar', 'Dune']],
    ['/list?sort=title', ['Alder', 'Birch', 'Cedar', 'Dune']],
    ['/list?sort=site', ['Alder', 'Birch', 'Cedar', 'Dune']],
    ['/list?state=all&tag=a%26b%3Dc', ['Cedar', 'Birch']],
    ['/list?site=cedar.example', ['Cedar']],
    ['/list?search=harbour&in=titles', []],
    ['/list?search=cedar&in=titles', ['Cedar']],
  ])('are those of the list that the user has opened it from: %s', async (list, titles) => {
    const ids = await saved(ALL);
    const byTitle = new Map(ALL.map((title, at) => [title as string, ids[at] ?? '']));
    await api.sent(
      { action: 'tags_add', item_id: byTitle.get('Birch'), tags: ['a&b=c'] },
      { action: 'tags_add', item_id: byTitle.get('Cedar'), tags: ['a&b=c'] },
    );

    const expected = titles.map((title) => byTitle.get(title));
    const links = linksIn(await visitor.open(list).expect(200));

    expect(links.map(idIn)).toEqual(expected);
    const paths = expected.length === 0 ? [] : await walked(list);
    expect(paths).toEqual(links);
    for (const [at, path] of paths.entries()) {
      const page = await visitor.open(path).expect(200);
      expect(neighbourIn(page, 'prev')).toBe(paths[at - 1]);
    }
  });

  it('follow the order of archiving in the archive', async () => {
    const [birch = '', alder = '', cedar = ''] = await saved(['Birch', 'Alder', 'Cedar']);
    for (const itemId of [alder, cedar, birch]) {
      app.clock.advance(2);
      await api.sent({ action: 'archive', item_id: itemId });
    }

    expect((await walked('/list?state=archive')).map(idIn)).toEqual([birch, cedar, alder]);
  });

  it('follow the relevance in a search, also from one page of results to the next', async () => {
    const titles = Array.from({ length: 43 }, (_, at) => `Lamp${at}`);
    await saved(titles);
    await until(
      async () => linksIn(await visitor.open('/list?search=harbour')).length === 40,
      'the index',
    );
    await until(
      async () => linksIn(await visitor.open('/list?search=harbour&after=40')).length === 3,
      'the index',
    );
    const first = linksIn(await visitor.open('/list?search=harbour'));
    const second = linksIn(await visitor.open('/list?search=harbour&after=40'));

    const last = await visitor.open(first[39] ?? '').expect(200);
    expect(neighbourIn(last, 'next')).toBe(second[0]);
    const next = await visitor.open(second[0] ?? '').expect(200);
    expect(neighbourIn(next, 'prev')).toBe(first[39]);
    expect(next.text).toContain('href="/list?search=harbour&amp;after=40"');
    expect(neighbourIn(await visitor.open(second[2] ?? ''), 'next')).toBeUndefined();
  });

  it('stay those of the list after an action, and the next one follows an archived article', async () => {
    const [birch = '', alder = '', cedar = ''] = await saved(['Birch', 'Alder', 'Cedar']);
    const [first = '', second = ''] = linksIn(await visitor.open('/list?sort=oldest'));
    const page = await visitor.open(first).expect(200);
    const { fields } = formIn(page, '/list/actions');
    expect(fields['back']).toBe('/list?sort=oldest');

    const back = unescaped(
      /name="back" value="(\/read[^"]*)">\s*<button class="primary"/.exec(page.text)?.[1] ?? '',
    );
    const answer = await visitor.post('/list/actions', { ...fields, action: 'archive', back });

    expect(idIn(first)).toBe(birch);
    expect(locationOf(answer)).toBe(`${second}&done=archive&items=${birch}`);
    const next = await visitor.open(locationOf(answer)).expect(200);
    expect(idIn(neighbourIn(next, 'next') ?? '')).toBe(cedar);
    const place = formIn(next, second.replace(alder, `${alder}/position`));
    expect(locationOf(await visitor.submit(place, { percent: '50' }))).toBe(`${second}&done=place`);
    // The archived article has left the list, but its page still shows its neighbours.
    expect(neighbourIn(await visitor.open(first), 'next')).toBe(second);
  });

  it.each([
    ['/list?state=all&sort=oldest', 'Cedar'],
    ['/list?state=archive', undefined],
    ['/list?state=all&site=alder.example', undefined],
  ])('are followed after listening by the next unread article: %s', async (list, title) => {
    const [birch = '', alder = '', cedar] = await saved(['Birch', 'Alder', 'Cedar']);
    await api.sent({ action: 'archive', item_id: alder });
    const query = new URLSearchParams({ list: list.slice('/list?'.length) }).toString();

    const { text } = await visitor.open(`/read/${birch}?${query}`).expect(200);

    const [, next] = / data-next="([^"]+)"/.exec(text) ?? [];
    expect(next && idIn(next)).toBe(title && cedar);
  });

  it('skip unread items without text after listening', async () => {
    const [birch = ''] = await saved(['Birch']);
    await api.saved('https://never-fetched.example/');
    await api.saved('https://never-fetched.example/two');
    const [cedar = ''] = await saved(['Cedar']);

    for (const list of ['sort=oldest', 'state=all&sort=oldest']) {
      const query = new URLSearchParams({ list }).toString();
      const { text } = await visitor.open(`/read/${birch}?${query}`).expect(200);
      const [, next = '', skipped] = / data-next="([^"]+)" data-skipped="(\d)"/.exec(text) ?? [];
      expect([idIn(next), skipped]).toEqual([cedar, '2']);
    }
    const last = await visitor.open(`/read/${cedar}?list=sort%3Doldest`).expect(200);
    expect(last.text).not.toContain('data-next');
  });

  it('are not shown for an invalid list, which changes nothing', async () => {
    const [id = ''] = await saved(['Birch']);
    const _csrf = await visitor.csrfToken();

    for (const list of ['state=none', 'sort=x', 'search=a&after=x', `tag=${'x'.repeat(201)}`]) {
      const query = new URLSearchParams({ list }).toString();
      await visitor.open(`/read/${id}?${query}`).expect(400);
    }
    const invalid = `?${new URLSearchParams({ list: 'state=none' }).toString()}`;
    await visitor.post(`/read/${id}/position${invalid}`, { _csrf, percent: '50' }).expect(400);
    await visitor.post(`/read/${id}/edit${invalid}`, { _csrf, title: 'New', tags: '' }).expect(400);

    const { text } = await visitor.open(`/read/${id}?list=unknown%3Dx&done=x`).expect(200);
    expect(text).toContain('data-fraction="0"');
    expect(text).toContain('Birch');
  });
});

const idIn = (path: string): string => /^\/read\/(\d+)/.exec(path)?.[1] ?? '';
