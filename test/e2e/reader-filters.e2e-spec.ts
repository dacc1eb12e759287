import { aVisitor } from '../support/oauth-api.js';
import { headingOf, locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import {
  bodyOf,
  linkOf,
  pagesBefore,
  pagesFrom,
  titlesAt,
  titlesOf,
} from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const START = 1_700_000_000;

interface Saved {
  readonly title: string;
  readonly members?: object;
  /** Column values of the item, as if its page had been fetched. */
  readonly set?: string;
  readonly fraction?: number;
}

interface Reader {
  readonly visitor: PageVisitor;
  readonly api: ReadingListApi;
}

/** Updates the counters of the list as the service would. */
const COUNT_FACETS = `
  UPDATE lists SET facet_counts = array(
    SELECT (SELECT count(*)::int FROM items WHERE user_id = $1 AND facet = f) FROM generate_series(0, 63) f)
  WHERE user_id = $1`;

/** Creates a reader with these items. The last one is the newest. */
async function aReaderOf(items: readonly Saved[]): Promise<Reader> {
  const api = await ReadingListApi.of(app);
  const actions = items.map(({ title, members }, at) => ({
    ...{ action: 'add', url: `https://site${at % 2}.example/${title}`, title, time: START + at },
    ...members,
  }));
  await api.send(actions).expect(200);
  for (const { title, set, fraction } of items) {
    const where = 'user_id = $1 AND given_title = $2';
    const values = [api.user.id, title];
    await app.database.query(
      `UPDATE items SET title_key = given_title${set === undefined ? '' : `, ${set}`} WHERE ${where}`,
      values,
    );
    if (fraction !== undefined) {
      await app.database.query(
        `INSERT INTO reading_positions (user_id, item_id, fraction, updated_at)
         SELECT user_id, item_id, $3, now() FROM items WHERE ${where}`,
        [...values, fraction],
      );
    }
  }
  await app.database.query(COUNT_FACETS, [api.user.id]);
  return { visitor: await aVisitor(app, api.user), api };
}

const article = (words: number, lang = 'en'): string =>
  `is_article = 1, word_count = ${words}, lang = '${lang}', resolved_id = 1`;

const ITEMS: readonly Saved[] = [
  { title: 'short', set: article(900) },
  { title: 'five', set: article(990, 'de'), fraction: 0.004 },
  { title: 'fifteen', set: article(3409, 'de-AT'), fraction: 0.4, members: { tags: 'low' } },
  { title: 'long', set: article(3410, 'fr'), fraction: 0.95 },
  { title: 'video', set: 'has_video = 2' },
  { title: 'image', set: 'has_image = 2' },
  { title: 'pdf', set: `is_pdf = 1, lang = 'de'` },
  { title: 'failed', set: 'fetch_failed = 1' },
];

describe('the filters of the list', () => {
  let reader: Reader;

  beforeAll(async () => {
    reader = await aReaderOf(ITEMS);
    const [long] = await reader.api.items({ search: 'long', state: 'all' });
    await reader.api.send([{ action: 'archive', item_id: long?.item_id }]).expect(200);
  });

  it.each([
    ['/list?time=short', ['short']],
    ['/list?time=medium', ['fifteen', 'five']],
    ['/list?state=all&time=long', ['long']],
    ['/list?time=long', []],
    ['/list?progress=unstarted', ['failed', 'pdf', 'image', 'video', 'five', 'short']],
    ['/list?progress=started', ['fifteen']],
    ['/list?state=archive&progress=finished', ['long']],
    ['/list?state=all&kind=article', ['long', 'fifteen', 'five', 'short']],
    ['/list?kind=video', ['video']],
    ['/list?kind=image', ['image']],
    ['/list?kind=pdf', ['pdf']],
    ['/list?failed=yes', ['failed']],
    ['/list?state=failed', ['failed']],
    ['/list?language=de', ['pdf', 'fifteen', 'five']],
    ['/list?language=DE&kind=article', ['fifteen', 'five']],
    ['/list?language=de&time=medium&progress=started&tag=LOW&site=site0.example', ['fifteen']],
    ['/list?language=de&time=medium&progress=started&tag=low&site=site1.example', []],
    ['/list?time=medium&search=fif&in=titles', ['fifteen']],
    ['/list?time=medium&search=fifteen', ['fifteen']],
    ['/list?kind=article&failed=yes', []],
    ['/list?sort=shortest', ['short', 'five', 'fifteen']],
    ['/list?sort=longest&state=all', ['long', 'fifteen', 'five', 'short']],
    ['/list?sort=longest&state=archive&language=fr', ['long']],
    ['/list?sort=longest&time=medium', ['fifteen', 'five']],
    ['/list?sort=title&language=de&state=all', ['fifteen', 'five', 'pdf']],
    ['/list?time=&progress=&kind=&language=&tag=&site=&failed=&sort=title', undefined],
  ])('%s shows %j', async (path, titles) => {
    const all = ['failed', 'fifteen', 'five', 'image', 'pdf', 'short', 'video'];

    expect(await titlesAt(reader.visitor, path)).toEqual(titles ?? all);
  });

  it.each([
    '/list?time=forever',
    '/list?time=constructor',
    '/list?progress=-1',
    '/list?kind=video%00',
    '/list?failed=no',
    '/list?language=d',
    '/list?language=deutsch',
    `/list?language=${'%27'.repeat(3)}`,
    '/list?filter=maybe',
    '/list?sort=shortest&after=AAAA',
    '/list/surprise?kind=book',
  ])('return 400 with an error page for %s', async (path) => {
    const page = await reader.visitor.open(path).expect(400);

    expect(headingOf(page)).toBe('Bad Request');
  });

  it('are shown as links that remove them', async () => {
    const path = '/list?language=de&time=medium&progress=started&tag=low';
    const page = await reader.visitor.open(path).expect(200);

    const chips = [...bodyOf(page).querySelectorAll('.chips a')].map((link) => [
      link.querySelector('strong')?.textContent,
      link.getAttribute('href'),
    ]);
    expect(chips).toEqual([
      ['low', '/list?state=all&language=de&time=medium&progress=started'],
      ['German', '/list?tag=low&time=medium&progress=started'],
      ['5 to 15 minutes', '/list?tag=low&language=de&progress=started'],
      ['Started', '/list?tag=low&language=de&time=medium'],
    ]);
    expect(linkOf(page, 'Remove all filters')).toBe('/list?state=all');
    expect(linkOf(page, 'Archive')).toBe(
      '/list?state=archive&tag=low&language=de&time=medium&progress=started',
    );
  });

  it('are selected in the form, which offers the languages of the list', async () => {
    const page = await reader.visitor.open('/list?kind=pdf&language=sv&site=site0.example');

    const form = bodyOf(page).querySelector('.filters form');
    const options = [...(form?.querySelectorAll('[name="language"] option') ?? [])];
    expect(options.map(({ textContent }) => textContent)).toEqual([
      ...['Any', 'English', 'French', 'German', 'Swedish'],
    ]);
    const selected = [...(form?.querySelectorAll('option[selected]') ?? [])];
    expect(selected.map((option) => option.getAttribute('value'))).toEqual(['pdf', 'sv']);
    expect(form?.querySelector('[name="site"]')?.getAttribute('value')).toBe('site0.example');
    expect(shownText(page, '.filters summary')).toBe('Filter (3)');
  });

  it('get a short address when the form is sent', async () => {
    const sent = '/list?filter=1&state=unread&time=short&progress=&kind=&failed=&tag=+&site=';

    const answer = await reader.visitor.open(sent).expect(303);

    expect(locationOf(answer)).toBe('/list?time=short');
  });

  it('show the form again, with an error below an invalid site or tag', async () => {
    const tag = 'x'.repeat(101);
    const sent = `/list?filter=1&state=unread&time=short&kind=&tag=${tag}&site=not+a+site%22%3E`;

    const page = await reader.visitor.open(sent).expect(400);

    expect(headingOf(page)).toBe('Unread');
    const form = bodyOf(page).querySelector('.filters[open] form');
    expect(form?.querySelector('[name="time"] [selected]')?.getAttribute('value')).toBe('short');
    const fields = ['tag', 'site'].map((name) => form?.querySelector(`[name="${name}"]`));
    expect(fields.map((field) => field?.getAttribute('value'))).toEqual([tag, 'not a site">']);
    expect(fields.map((field) => field?.getAttribute('aria-invalid'))).toEqual(['true', 'true']);
    const errors = fields.map(
      (field) => form?.querySelector(`#${field?.getAttribute('aria-describedby')}`)?.textContent,
    );
    expect(errors).toEqual([
      'Enter at most 10 tags of at most 100 characters, separated by commas.',
      'Enter the address of a site, such as example.com.',
    ]);
    expect(titlesOf(page)).toEqual(['short']);
  });

  it('keep an invalid site out of the address of the list', async () => {
    const page = await reader.visitor.open('/list?filter=1&state=all&site=%3F').expect(400);

    expect(linkOf(page, 'Archive')).toBe('/list?state=archive');
    expect(bodyOf(page).querySelector('.chips')).toBeNull();
    for (const path of ['/list?filter=1&time=forever&site=%3F', '/list?site=%3F']) {
      expect(headingOf(await reader.visitor.open(path).expect(400))).toBe('Bad Request');
    }
  });

  it('show the number of items only if it is known', async () => {
    expect(shownText(await reader.visitor.open('/list?kind=article&state=all'), '.over')).toBe(
      'Everything 4 items',
    );
    expect(shownText(await reader.visitor.open('/list?time=short'), '.over')).toBe('Unread');
  });

  it('apply to a book of the view', async () => {
    await reader.visitor.open('/list/export.epub?kind=pdf&time=short').expect(404);
  });

  it('apply to a random article', async () => {
    const { visitor, api } = reader;
    const [{ item_id: five } = { item_id: '' }] = await api.items({ search: 'five' });

    const opened = await visitor.open('/list/surprise?language=de&progress=unstarted').expect(303);
    const none = await visitor.open('/list/surprise?time=long').expect(303);

    expect(locationOf(opened)).toBe(`/read/${five}`);
    expect(locationOf(none)).toBe('/list?time=long&done=no-surprise');
    expect(shownText(await visitor.open(locationOf(none)), '.done')).toBe(
      'This view has no unread articles.',
    );
  });

  it('open any unread article at random, and no other item', async () => {
    const { visitor, api } = reader;
    const titleOf = new Map((await api.items()).map((item) => [item.item_id, item.given_title]));
    const seen = new Set<string | undefined>();
    for (let at = 0; at < 40; at += 1) {
      const answer = await visitor.open('/list/surprise?state=all').expect(303);
      seen.add(titleOf.get(locationOf(answer).replace('/read/', '')));
    }

    expect(
      [...seen].filter((title) => !['short', 'five', 'fifteen'].includes(title ?? '')),
    ).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
  });
});

it('the filter by language selects languages that are stored in capitals', async () => {
  const languages = ['NL', 'Nl-be', 'nl', 'NLX', 'en'];
  const items = languages.map((lang, at) => ({ title: `t${at}`, set: article(900, lang) }));
  const { visitor } = await aReaderOf(items);

  const page = await visitor.open('/list?language=nl').expect(200);

  expect(titlesOf(page)).toEqual(['t2', 't1', 't0']);
  expect(shownText(page, '[name="language"] [selected]')).toBe('Dutch');
});

describe('the pages of a filtered list', () => {
  it.each(['newest', 'oldest', 'title', 'site', 'shortest', 'longest'])(
    'show each matching item once, forwards and backwards, sorted by %s',
    async (sort) => {
      const items = Array.from({ length: 170 }, (_, at) => ({
        title: `t${at}`,
        set: article(at % 2 === 0 ? 1000 + (at % 6) : 10, at % 2 === 0 ? 'de' : 'en'),
      }));
      const { visitor } = await aReaderOf(items);

      const forwards = await pagesFrom(visitor, `/list?time=medium&language=de&sort=${sort}`);

      expect(forwards.titles.map(({ length }) => length)).toEqual([40, 40, 5]);
      expect(new Set(forwards.titles.flat()).size).toBe(85);
      expect(await pagesBefore(visitor, forwards.last)).toEqual(forwards.titles);
    },
  );
});
