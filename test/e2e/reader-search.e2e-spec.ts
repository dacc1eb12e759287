import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { DueTextRepository } from '../../src/reading-list/texts/due-text.repository.js';
import { aVisitor } from '../support/oauth-api.js';
import { type PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const FILLER = 'Plain sentences stand here, so that the page is taken for an article. '.repeat(12);

/** A page as a browser extension sends it. */
const html = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>
  <p>${FILLER}</p><p>${text} ${FILLER}</p><p>${FILLER}</p></article></body></html>`;

let app: TestApp;
let api: ReadingListApi;
let reader: PageVisitor;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  reader = await aVisitor(app, api.user);
});

const saved = (slug: string, title: string, text: string): Promise<string> =>
  api.saved(`https://example.com/${slug}`, { html: html(title, text) });

const written = () =>
  until(async () => (await app.database.query('SELECT FROM due_texts')).length === 0);

const bodyOf = ({ text }: Response) => parseDocument(text).body;
const textsOf = (page: Response, selector: string): string[] =>
  [...bodyOf(page).querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');
const titlesOf = (page: Response): string[] => textsOf(page, '.items h2 a');
const open = (path: string): Promise<Response> => reader.open(path).expect(200);
const hrefOf = (page: Response, label: string): string =>
  [...bodyOf(page).querySelectorAll('main a')]
    .find(({ textContent }) => textContent === label)
    ?.getAttribute('href') ?? '';

it('a search finds articles, best match first, with the matching passage as text', async () => {
  await saved('wading', 'On wading', 'The <b>herons</b> &amp; an egret &lt;i&gt; wade.');
  await saved('herons', 'Herons of the north', 'They fly.');
  await saved('other', 'Something else', 'Nothing of it.');
  await written();

  const page = await open('/list?search=heron');

  expect(titlesOf(page)).toEqual(['Herons of the north', 'On wading']);
  expect(textsOf(page, '.passage mark')).toEqual(['herons']);
  expect(textsOf(page, '.passage')[0]).toContain('herons & an egret <i> wade.');
  expect(textsOf(page, '.sorts [aria-current]')).toEqual(['Relevance']);
  expect(shownText(page)).not.toContain('not indexed yet');
  expect(titlesOf(await open(hrefOf(page, 'Oldest')))).toEqual([
    'On wading',
    'Herons of the north',
  ]);
  expect(titlesOf(await open('/list?search=heron&site=other.example'))).toEqual([]);
});

it('a search without matching words finds any part of titles and addresses', async () => {
  await saved('cormorants-42', 'Swimming birds', 'The cormorants dive.');
  await saved('heron', 'Herons', 'A bird of the word dive.');
  await written();

  const byPart = await open('/list?search=ormoran');
  const ofTexts = await open('/list?search=dive');
  const ofTitles = await open(hrefOf(ofTexts, 'Search titles and addresses only'));
  const nowhere = await open('/list?search=penguin');

  expect(titlesOf(byPart)).toEqual(['Swimming birds']);
  expect(shownText(byPart)).toContain('No article contains these words.');
  expect(titlesOf(ofTexts)).toHaveLength(2);
  expect(titlesOf(ofTitles)).toEqual([]);
  expect(hrefOf(ofTitles, 'Search articles too')).toBe('/list?search=dive');
  expect(shownText(nowhere)).toContain('No items match.');
});

it('a search shows a notice if new items are not indexed yet, and finds them by title', async () => {
  await saved('heron', 'Herons', 'They fly.');
  await written();
  const latest = jest
    .spyOn(app.app.get(DueTextRepository, { strict: false }), 'latest')
    .mockResolvedValue([]);
  await saved('wading', 'On wading', 'The herons wade.');

  const page = await open('/list?search=herons');
  const byTitle = await open('/list?search=wading');

  latest.mockRestore();
  expect(titlesOf(page)).toEqual(['Herons']);
  expect(shownText(page)).toContain('Some new items are not indexed yet.');
  expect(titlesOf(byTitle)).toEqual(['On wading']);
});

it('the links to the next and previous page work for search results', async () => {
  await api
    .send(
      Array.from({ length: 95 }, (_, at) => ({
        ...{ action: 'add', url: `https://example.com/heron/${at}`, title: `Heron ${at}` },
        time: 1_700_000_000 + at,
      })),
    )
    .expect(200);
  await written();

  const first = await open('/list?search=heron');
  const second = await open(hrefOf(first, 'Next page'));
  const third = await open(hrefOf(second, 'Next page'));
  const back = await reader.open(hrefOf(third, 'Previous page')).expect(303);

  const all = [first, second, third].map(titlesOf);
  expect(all.map(({ length }) => length)).toEqual([40, 40, 15]);
  expect(new Set(all.flat()).size).toBe(95);
  expect(hrefOf(third, 'Next page')).toBe('');
  expect(back.headers['location']).toBe('/list?search=heron&after=40');
  await reader
    .open('/list?search=heron&until=40')
    .expect(303)
    .expect('location', '/list?search=heron');
  for (const after of ['0', '-1', '1e3', 'x', '99999999']) {
    await reader.open(`/list?search=heron&after=${after}`).expect(400);
  }
  const oldest = await open('/list?search=heron&sort=oldest');
  const next = await open(hrefOf(oldest, 'Next page'));
  expect(titlesOf(next)[0]).toBe('Heron 40');
  const before = await reader.open(hrefOf(next, 'Previous page')).expect(303);
  expect(before.headers['location']).toBe('/list?search=heron&sort=oldest');
});

it.each(['"(', '-', "'':*", '🦩', '(((((', 'or', '%', '\\', ' '])(
  'a search accepts the text %j',
  async (search) => {
    await saved('wading', 'On wading', 'Egrets wade.');

    await open(`/list?${new URLSearchParams({ search }).toString()}`);
  },
);

it('the list shows the reading progress, in the theme that the user has selected', async () => {
  const id = await saved('wading', 'On wading', 'Egrets wade.');
  const _csrf = await reader.csrfToken();
  await reader.post(`/read/${id}/position`, { _csrf, percent: '42' }).expect(303);
  const look = { theme: 'sepia', size: 'large', width: 'medium', face: 'sans', spacing: 'loose' };
  await reader.post('/read/appearance', { _csrf, ...look }).expect(303);

  const page = await open('/list');

  expect(shownText(page, '.facts')).toContain('42% read');
  for (const path of ['/list', '/list/tags/all', '/save', '/highlights', '/account']) {
    expect((await open(path)).text).toContain('data-theme="sepia" data-size="large"');
  }
  expect(hrefOf(page, 'Highlights')).toBe('/highlights');
});
