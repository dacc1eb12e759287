import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from '../support/oauth-api.js';
import { headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

type Reader = Awaited<ReturnType<typeof aVisitor>> & { readonly api: ReadingListApi };

async function aReader(): Promise<Reader> {
  const api = await ReadingListApi.of(app);
  return Object.assign(await aVisitor(app, api.user), { api });
}

const START = 1_700_000_000;

/** Creates a reader with items `a0`, `a1` and so on. The last one is the newest. */
async function aReaderOf(
  count: number,
  more: (at: number) => object = () => ({}),
): Promise<Reader> {
  const reader = await aReader();
  const actions = Array.from({ length: count }, (_, at) => ({
    ...{ action: 'add', url: `https://site${at % 3}.example/a${at}`, time: START + at },
    ...{ title: `a${at}`, ...more(at) },
  }));
  await reader.api.send(actions).expect(200);
  return reader;
}

const bodyOf = ({ text }: Response) => parseDocument(text).body;

const titlesOf = (page: Response): string[] =>
  [...bodyOf(page).querySelectorAll('.items h2 a')].map(({ textContent }) => textContent ?? '');

const linkOf = (page: Response, label: string): string | undefined =>
  [...bodyOf(page).querySelectorAll('a')]
    .find(({ textContent }) => textContent === label)
    ?.getAttribute('href') ?? undefined;

const titlesAt = async (reader: PageVisitor, path: string): Promise<string[]> =>
  titlesOf(await reader.open(path).expect(200));

describe('the views of the list', () => {
  let reader: Reader;

  beforeAll(async () => {
    reader = await aReaderOf(6, (at) => ({ tags: at < 2 ? `low,t${at}` : '' }));
    const idOf = async (name: string) =>
      (await reader.api.items({ search: name, state: 'all' }))[0]?.item_id;
    await reader.api
      .send([
        { action: 'archive', item_id: await idOf('a0'), time: START + 200 },
        { action: 'archive', item_id: await idOf('a4'), time: START + 100 },
        { action: 'favorite', item_id: await idOf('a1') },
      ])
      .expect(200);
  });

  it.each([
    ['/list', ['a5', 'a3', 'a2', 'a1']],
    ['/list?sort=oldest', ['a1', 'a2', 'a3', 'a5']],
    ['/list?state=archive', ['a0', 'a4']],
    ['/list?state=favorites', ['a1']],
    ['/list?state=all&sort=title', ['a0', 'a1', 'a2', 'a3', 'a4', 'a5']],
    ['/list?state=all&sort=site', ['a0', 'a3', 'a1', 'a4', 'a2', 'a5']],
    ['/list?tag=LOW', ['a1', 'a0']],
    ['/list?tag=low&state=unread', ['a1']],
    ['/list?tag=_untagged_', ['a5', 'a4', 'a3', 'a2']],
    ['/list?site=site1.example', ['a4', 'a1']],
    ['/list?search=A4', ['a4']],
    ['/list?search=nothing-like-it', []],
  ])('%s shows %j', async (path, titles) => {
    expect(await titlesAt(reader, path)).toEqual(titles);
  });

  it('link to each other, and keep the filters', async () => {
    const page = await reader.open('/list?site=site1.example').expect(200);

    expect(linkOf(page, 'Archive')).toBe('/list?state=archive&site=site1.example');
    expect(linkOf(page, 'Site site1.example Remove filter×')).toBe('/list?state=all');
    expect(shownText(page, '.narrowing')).toBe('Site site1.example Remove filter×');
    expect(await titlesAt(reader, linkOf(page, 'Archive') ?? '')).toEqual(['a4']);
  });

  it('show the number of items', async () => {
    expect(shownText(await reader.open('/list'), '.over')).toBe('Unread 4 items');
    expect(shownText(await reader.open('/list?state=favorites'), '.over')).toBe('Favorites 1 item');
  });

  it('show why they are empty', async () => {
    const empty = await aReader();

    const archive = await empty.open('/list?state=archive');
    expect(shownText(archive, '.nothing')).toContain('Your archive is empty');
    expect(shownText(await empty.open('/list?search=x'), '.nothing')).toContain('No items match');
  });

  it.each([
    '/list?state=everything',
    '/list?sort=sideways',
    '/list?tag=%00',
    '/list?site=a%00b',
    `/list?tag=${'x'.repeat(101)}`,
    '/list?site=%20a%20b',
    `/list?search=${'x'.repeat(257)}`,
    '/list?after=x',
    '/list?after=AAAA&sort=title',
    '/list?until=____________________________',
    '/list/tags?item=minus',
    `/list/tags/all?find=${'x'.repeat(101)}`,
  ])('return 400 with an error page for %s', async (path) => {
    const page = await reader.open(path).expect(400);

    expect(headingOf(page)).toBe('Bad Request');
  });

  it('ignore control characters in a search', async () => {
    expect(await titlesAt(reader, '/list?search=a%004%07')).toEqual(['a4']);
    expect(shownText(await reader.open('/list/tags/all?find=lo%00w').expect(200))).toContain('low');
  });

  it('redirect to the login page without a session', async () => {
    for (const path of ['/list', '/list/tags?item=1', '/list/tags/all']) {
      const answer = await new PageVisitor(app).open(path).expect(303);
      expect(answer.headers['location']).toMatch(/^\/auth\/login\?next=%2Flist/);
    }
  });
});

describe('the pages of the list', () => {
  it.each(['newest', 'oldest', 'title', 'site'])(
    'show each item once, forwards and backwards, sorted by %s',
    async (sort) => {
      const reader = await aReaderOf(95, (at) => ({ time: START + (at % 7) }));
      const forwards: string[][] = [];
      const paths: string[] = [];
      let path: string | undefined = `/list?sort=${sort}`;
      while (path !== undefined) {
        const page: Response = await reader.open(path).expect(200);
        forwards.push(titlesOf(page));
        paths.push(path);
        path = linkOf(page, 'Next page');
      }
      const last = await reader.open(paths.at(-1) ?? '').expect(200);
      const middle = await reader.agent.get(linkOf(last, 'Previous page') ?? '').redirects(1);
      const first = await reader.agent.get(linkOf(middle, 'Previous page') ?? '').redirects(1);

      expect(forwards.map(({ length }) => length)).toEqual([40, 40, 15]);
      expect(new Set(forwards.flat()).size).toBe(95);
      expect([titlesOf(first), titlesOf(middle)]).toEqual(forwards.slice(0, 2));
      expect(linkOf(first, 'Previous page')).toBeUndefined();
      expect(linkOf(last, 'First page')).toBe(sort === 'newest' ? '/list' : `/list?sort=${sort}`);
    },
  );

  it('have no link to a next page after the last item', async () => {
    const reader = await aReaderOf(40);

    expect(linkOf(await reader.open('/list'), 'Next page')).toBeUndefined();
  });

  it('keep their position if all their items are archived', async () => {
    const reader = await aReaderOf(60);
    const second = linkOf(await reader.open('/list'), 'Next page') ?? '';
    const ids = bodyOf(await reader.open(second)).querySelectorAll('.items input');
    const actions = [...ids].map((input) => ({
      ...{ action: 'archive', item_id: input.getAttribute('value') },
    }));
    await reader.api.send(actions).expect(200);

    const page = await reader.open(second).expect(200);

    expect(actions).toHaveLength(20);
    expect(shownText(page, '.nothing')).toBe('This is the end of the list.');
    const before = await reader.agent.get(linkOf(page, 'Previous page') ?? '').redirects(1);
    expect(titlesOf(before)).toHaveLength(40);
  });

  it('show no item of another user for a position in the list of that user', async () => {
    const ada = await aReaderOf(60);
    const bob = await aReaderOf(2, (at) => ({ title: `bob ${at}` }));
    const position = linkOf(await ada.open('/list'), 'Next page') ?? '';

    const titles = await titlesAt(bob, position);

    expect(titles.filter((title) => !title.startsWith('bob'))).toEqual([]);
    expect(await titlesAt(bob, '/list')).toHaveLength(2);
  });
});
