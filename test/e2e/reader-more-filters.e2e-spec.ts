import { aVisitor } from '../support/oauth-api.js';
import { headingOf, locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { bodyOf, linkOf, titlesAt, titlesOf } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = Math.floor(Date.now() / 1000);
/** 29 February 2024, and the second before the following day. */
const LEAP_DAY = Date.parse('2024-02-29') / 1000;
const END_OF_LEAP_DAY = LEAP_DAY + DAY - 1;

interface Saved {
  readonly title: string;
  readonly tags?: string;
  readonly added: number;
  readonly archived?: number;
  readonly isFavorite?: true;
}

const ITEMS: readonly Saved[] = [
  { title: 'old', added: NOW - 400 * DAY, tags: 'red' },
  { title: 'leap', added: LEAP_DAY, tags: 'red,green', archived: END_OF_LEAP_DAY },
  { title: 'late', added: END_OF_LEAP_DAY, archived: END_OF_LEAP_DAY + 1, isFavorite: true },
  { title: 'month', added: NOW - 20 * DAY, tags: 'green', archived: NOW - 3 * DAY },
  { title: 'week', added: NOW - 3 * DAY, tags: 'red,green,blue', isFavorite: true },
  { title: 'today', added: NOW - HOUR, tags: 'blue sky' },
];

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  await api
    .send(
      ITEMS.flatMap(({ title, tags, added, archived, isFavorite }) => {
        const url = `https://site.example/${title}`;
        return [
          { action: 'add', url, title, time: added, ...(tags !== undefined && { tags }) },
          ...(isFavorite === true ? [{ action: 'favorite', url, time: added }] : []),
          ...(archived === undefined ? [] : [{ action: 'archive', url, time: archived }]),
        ];
      }),
    )
    .expect(200);
  const values = [api.user.id];
  await app.database.query(
    `UPDATE items SET note = 'mine' WHERE user_id = $1 AND given_title IN ('week', 'leap')`,
    values,
  );
  await app.database.query(
    `INSERT INTO annotations (user_id, annotation_id, item_id, quote, patch, version, created_at, updated_at, number)
     SELECT user_id, 'a', item_id, 'x', '', '2', 1, 1, 1 FROM items WHERE user_id = $1 AND given_title = 'month'`,
    values,
  );
  visitor = await aVisitor(app, api.user);
});
afterAll(() => app.close());

it.each([
  ['tag=red,green', ['week', 'leap']],
  ['tag=RED&tag=green', ['week', 'leap']],
  ['tag=red,green&tag=blue', ['week']],
  ['tag=blue+sky', ['today']],
  ['tag=red,none', []],
  ['anytag=blue,blue+sky', ['today', 'week']],
  ['anytag=none', []],
  ['nottag=red&state=all', ['today', 'month', 'late']],
  ['nottag=red,none', ['today']],
  ['tag=green&nottag=red,blue', ['month']],
  ['tag=red&anytag=blue,green&nottag=blue', ['leap']],
  ['tag=_untagged_', ['late']],
  ['state=all&added=day', ['today']],
  ['state=all&added=week', ['today', 'week']],
  ['added=week', ['today', 'week']],
  ['state=all&added=month', ['today', 'week', 'month']],
  ['state=all&added=oldermonth&tag=red', ['old', 'leap']],
  ['added=olderyear', ['old']],
  ['state=all&addedfrom=2024-02-29&addedto=2024-02-29', ['late', 'leap']],
  ['state=all&addedto=2024-02-28', []],
  ['read=week', ['month']],
  ['read=day', []],
  ['read=olderyear', ['late', 'leap']],
  ['state=unread&readto=2024-02-29', ['leap']],
  ['state=all&readfrom=2024-03-01', ['month', 'late']],
  ['favorite=yes&state=archive', ['late']],
  ['favorite=no&state=archive', ['month', 'leap']],
  ['favorite=no&state=favorites', ['today', 'month', 'old', 'leap']],
  ['highlights=yes&state=all', ['month']],
  ['highlights=no', ['today', 'week', 'old']],
  ['note=yes&state=all', ['week', 'leap']],
  ['note=yes&favorite=yes', ['week']],
  ['state=all&addedfrom=2300-01-01', []],
  ['addedfrom=2024-03-01&addedto=9999-12-31&tag=red', ['week', 'old']],
  ['state=all&readfrom=9999-12-31', []],
])('/list?%s shows %j', async (query, titles) => {
  expect(await titlesAt(visitor, `/list?${query}`)).toEqual(titles);
});

it.each([
  ['added', 'ever'],
  ['addedfrom', '2023-02-29'],
  ['addedto', 'yesterday'],
  ['readfrom', '29.02.2024'],
  ['readto', '1969-12-31'],
  ['addedto', '9999-99-99'],
  ['addedfrom', '99999-01-01'],
  ['favorite', 'maybe'],
  ['highlights', '1'],
  ['note', 'no'],
  ['anytag', '_untagged_'],
  ['tag', 'red,_untagged_'],
  ['nottag', Array.from({ length: 11 }, (_, at) => `t${at}`).join(',')],
  ['anytag', 'x'.repeat(101)],
  ['nottag', '%00'],
  ['tag', ',,'],
])('/list?%s=%s is an error', async (name, value) => {
  expect(headingOf(await visitor.open(`/list?${name}=${value}`).expect(400))).toBe('Bad Request');
});

it('accepts ten tags', async () => {
  const tags = Array.from({ length: 10 }, (_, at) => `t${at}`).join(',');

  expect(await titlesAt(visitor, `/list?anytag=${tags},T9`)).toEqual([]);
});

it('shows the filters as words, with links that remove them', async () => {
  const path = '/list?tag=red,green&anytag=blue,red&nottag=none&added=week&note=yes';

  const page = await visitor.open(path).expect(200);

  const chips = [...bodyOf(page).querySelectorAll('.chips a')].map((link) => [
    link.textContent?.replace(/\s*Remove filter×/, ''),
    link.getAttribute('href'),
  ]);
  const rest = 'anytag=blue%2C+red&nottag=none&added=week&note=yes';
  expect(chips).toEqual([
    ['Tag red', `/list?tag=green&${rest}`],
    ['Tag green', `/list?tag=red&${rest}`],
    ['Any of these tags: blue, red', '/list?tag=red%2C+green&nottag=none&added=week&note=yes'],
    ['None of these tags: none', '/list?tag=red%2C+green&anytag=blue%2C+red&added=week&note=yes'],
    ['Added: Last 7 days', '/list?tag=red%2C+green&anytag=blue%2C+red&nottag=none&note=yes'],
    ['With a note', '/list?tag=red%2C+green&anytag=blue%2C+red&nottag=none&added=week'],
  ]);
  expect(linkOf(page, 'Remove all filters')).toBe('/list?state=all');
  expect(titlesOf(page)).toEqual(['week']);
});

describe('the form', () => {
  const namesIn = (page: Parameters<typeof bodyOf>[0]) =>
    [...bodyOf(page).querySelectorAll('.filters form [id]')].map((field) =>
      field.getAttribute('name'),
    );

  it('shows the rarely used fields on request, with the filters so far', async () => {
    const simple = await visitor.open('/list?tag=red').expect(200);
    const answer = await visitor.open('/list?filter=1&state=all&tag=red&site=&more=1').expect(303);
    const full = await visitor.open(locationOf(answer)).expect(200);

    expect(namesIn(simple)).toEqual(['time', 'progress', 'kind', 'tag', 'site']);
    expect(locationOf(answer)).toBe('/list?tag=red&more=1');
    expect(namesIn(full)).toEqual([
      ...['time', 'progress', 'kind', 'added', 'read', 'favorite', 'highlights', 'note', 'failed'],
      ...['tag', 'anytag', 'nottag', 'site', 'addedfrom', 'addedto', 'readfrom', 'readto'],
    ]);
    expect(bodyOf(full).querySelector('.filters[open]')).not.toBeNull();
    expect(bodyOf(full).querySelector('button[name="more"]')).toBeNull();
  });

  it('shows them if the view has such a filter', async () => {
    const page = await visitor.open('/list?state=all&addedfrom=2024-02-29&highlights=no');

    expect(bodyOf(page).querySelector('[name="addedfrom"]')?.getAttribute('value')).toBe(
      '2024-02-29',
    );
    expect(shownText(page, '[name="highlights"] [selected]')).toBe('Without highlights');
    expect(shownText(page, '.filters summary')).toBe('Filter (2)');
    expect(bodyOf(page).querySelector('.filters[open]')).toBeNull();
  });

  it('shows invalid values again, with an error below the field', async () => {
    const sent = '/list?filter=1&state=unread&nottag=a,_untagged_&addedto=2023-02-30&added=week';

    const page = await visitor.open(sent).expect(400);

    const fields = ['nottag', 'addedto'].map((name) =>
      bodyOf(page).querySelector(`.filters[open] [name="${name}"]`),
    );
    expect(fields.map((field) => field?.getAttribute('value'))).toEqual([
      ...['a,_untagged_', '2023-02-30'],
    ]);
    expect(
      fields.map(
        (field) =>
          bodyOf(page).querySelector(`#${field?.getAttribute('aria-describedby')}`)?.textContent,
      ),
    ).toEqual([
      'Enter at most 10 tags of at most 100 characters, separated by commas.',
      'Enter a date, such as 2026-01-31.',
    ]);
    expect(titlesOf(page)).toEqual(['today', 'week']);
  });
});

it('a bulk action on a view changes only the items that the filters select', async () => {
  const reader = await ReadingListApi.of(app);
  const items = ['kept', 'moved'].map((title) => ({
    ...{ action: 'add', url: `https://site.example/${title}`, title, tags: `all,${title}` },
  }));
  await reader.send(items).expect(200);
  const own = await aVisitor(app, reader.user);
  const form = await own.form('/list?state=unread&tag=all&nottag=kept', '/list/actions');

  await own.submit(form, { all: '1', action: 'archive' }).expect(303);

  expect(await titlesAt(own, '/list')).toEqual(['kept']);
  expect(await titlesAt(own, '/list?state=archive')).toEqual(['moved']);
});
