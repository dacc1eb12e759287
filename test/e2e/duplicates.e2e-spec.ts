import { ListsOnPostgres } from '../support/a-list.js';
import { DuplicateReader, DUPLICATES, groupsOf } from '../support/duplicate-reader.js';
import { formIn, headingOf, locationOf, shownText } from '../support/page-visitor.js';
import { AN_HOUR_AGO, tagsOf } from '../support/reading-list-api.js';
import { bodyOf, linkOf, titlesAt } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let lists: ListsOnPostgres;
let reader: DuplicateReader;

beforeAll(async () => {
  app = await aTestApp();
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await app.close();
});
beforeEach(async () => {
  reader = await DuplicateReader.of(app, lists);
});
afterEach(async () => {
  expect(await reader.faults()).toEqual([]);
});

const MERGED = 'Merged. The other items are in the trash.';
const CHANGED = 'These items have changed in the meantime. Nothing was merged.';
const TARGET = 'https://site.example/ferns';

describe('the groups of the same page', () => {
  it('show the addresses, the dates, the states and what the user has added', async () => {
    const [short, target] = await reader.pair();
    await reader.highlight(target, 'article');
    await reader.api.sent(
      { action: 'tags_add', item_id: short, tags: 'green' },
      { action: 'favorite', item_id: short },
      { action: 'archive', item_id: short },
      { action: 'set_note', item_id: short, note: 'Mine' },
    );

    const page = await reader.open();

    const [group, ...others] = groupsOf(page);
    expect(others).toEqual([]);
    const text = (group?.textContent ?? '').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      /Ferns .*https:\/\/short.example\/ferns Saved .* Archived Favorites Has a note green .*https:\/\/site.example\/ferns Saved .* Unread Highlights: 1 /,
    );
    expect(group?.querySelector('[checked]')?.getAttribute('value')).toBe(target);
  });

  it.each([
    ['the first one', [], 0],
    ['the one with a note', [1], 1],
  ])('propose to keep %s', async (_, noted, kept) => {
    const ids = await reader.pair();
    for (const at of noted) {
      await reader.api.sent({ action: 'set_note', item_id: ids[at], note: 'Mine' });
    }

    const [group] = groupsOf(await reader.open());

    expect(group?.querySelector('[checked]')?.getAttribute('value')).toBe(ids[kept]);
  });

  it.each([
    ['http', 'http://site.example/ferns'],
    ['www', 'https://www.site.example/ferns'],
    ['a trailing slash', 'https://site.example/ferns/'],
    ['a fragment', 'https://site.example/ferns#part'],
  ])('unite page addresses that differ in %s', async (_, resolvedUrl) => {
    await reader.saved('https://short.example/ferns', resolvedUrl);
    await reader.saved(TARGET, TARGET);

    expect(await reader.groups()).toEqual([['https://short.example/ferns', TARGET]]);
  });

  it.each([
    ['the home page of a site', 'https://site.example/', {}],
    ['a list of links', TARGET, { isIndex: true }],
    ['a page without content', TARGET, { isArticle: false }],
  ])('do not contain %s', async (_, resolvedUrl, page) => {
    await reader.saved('https://short.example/a', resolvedUrl, { ...page, wordCount: 99 });
    await reader.saved('https://short.example/b', resolvedUrl, { ...page, wordCount: 99 });

    const shown = await reader.open();

    expect(groupsOf(shown)).toEqual([]);
    expect(shownText(shown, '.nothing')).toBe('No duplicates found.');
  });

  it('contain videos', async () => {
    const video = { isArticle: false, hasVideo: 2 } as const;
    await reader.saved('https://youtu.example/1', 'https://video.example/watch?v=1', video);
    await reader.saved(
      'https://m.video.example/watch?v=1',
      'https://video.example/watch?v=1',
      video,
    );
    await reader.saved('https://youtu.example/2', 'https://video.example/watch?v=2', video);

    expect(await reader.groups()).toHaveLength(1);
  });

  it('do not unite the pages of a web application, although they share a document', async () => {
    for (const note of ['1', '2']) {
      const url = `https://app.example/x#/notes/${note}`;
      const short = { isArticle: true, wordCount: 99 };
      await reader.saved(url, 'https://app.example/x', short);
    }

    expect(await reader.groups()).toEqual([]);
    expect(await reader.groups(`${DUPLICATES}?kind=likely`)).toEqual([]);
  });

  it('leave out items that are not fetched, and the items of other users', async () => {
    const other = await DuplicateReader.of(app, lists);
    await other.saved('https://short.example/ferns', TARGET);
    await reader.saved(TARGET, TARGET);
    await reader.api.saved('https://short.example/ferns');

    expect(await reader.groups()).toEqual([]);
    expect(await other.groups()).toEqual([]);
  });

  it('are shown once each on several pages', async () => {
    const names = Array.from({ length: 21 }, (_, at) => `n${at}`);
    for (const name of names) {
      await reader.pair(name);
    }

    const first = await reader.open();
    const next = linkOf(first, 'Next page') ?? '';
    const second = await reader.open(next);

    expect([groupsOf(first).length, groupsOf(second).length]).toEqual([20, 1]);
    const all = [...(await reader.groups()), ...(await reader.groups(next))].flat();
    expect(new Set(all).size).toBe(42);
    expect(linkOf(second, 'Next page')).toBeUndefined();
    expect(linkOf(second, 'First page')).toBe(DUPLICATES);
  });

  it('are linked from the account and from the page of all tags', async () => {
    for (const path of ['/account', '/list/tags/all']) {
      expect(linkOf(await reader.open(path), 'Duplicates')).toBe(DUPLICATES);
    }
  });
});

describe('the form of a group', () => {
  it('merges the proposed items, and its page stays open', async () => {
    const [short, target] = await reader.pair();
    const page = await reader.open();

    const { fields } = formIn(page, DUPLICATES);
    expect(fields).toMatchObject({ keep: short, 'item[]': target, back: DUPLICATES });
    const both = { ...fields, 'item[]': [short, target] };
    const answer = await reader.visitor.post(DUPLICATES, both).expect(303);

    expect(locationOf(answer)).toBe(`${DUPLICATES}?done=merged&items=${target}`);
    expect(await reader.ids()).toEqual([short]);
    expect(await titlesAt(reader.visitor, '/list/trash')).toEqual(['Ferns']);
  });

  it('tells clients that sync about the deleted and the changed item', async () => {
    const [short, target] = await reader.pair();
    await reader.api.sent({ action: 'tags_add', item_id: target, tags: 'green' });

    await reader.merge(short, target);

    const { list } = await reader.api.found({ since: AN_HOUR_AGO, state: 'all' });
    expect(list[target]).toMatchObject({ status: '2' });
    expect(tagsOf(await reader.api.item(short))).toEqual(['green']);
  });

  it.each([
    ['one item', (id: string) => ({ keep: id, 'item[]': [id] })],
    ['no kept item', (id: string) => ({ 'item[]': [id, '5'] })],
    ['an invalid id', (id: string) => ({ keep: id, 'item[]': ['x'] })],
    ['the same item twice', (id: string) => ({ 'group[]': `${id},${id}` })],
    ['too many items', (id: string) => ({ keep: id, 'item[]': ids(21) })],
    ['too many groups', () => ({ 'group[]': ids(21).map((id) => `${id},7`) })],
  ])('rejects %s', async (_, fields) => {
    const [short, target] = await reader.pair();
    const _csrf = await reader.visitor.csrfToken();

    await reader.visitor.post(DUPLICATES, { _csrf, ...fields(short) }).expect(400);
    await reader.visitor.post(DUPLICATES, fields(short)).expect(403);

    expect(await reader.ids()).toEqual([short, target].sort());
  });

  it.each([
    'kind=x',
    'after=1',
    'after=1_x',
    `after=${'9'.repeat(19)}_1`,
    `after=1_-${'9'.repeat(19)}`,
  ])('is not shown for %s', async (query) => {
    const page = await reader.visitor.open(`${DUPLICATES}?${query}`).expect(400);

    expect(headingOf(page)).toBe('Bad Request');
  });
});

const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at + 10));

describe('items that have changed since the page was shown', () => {
  it('are not merged if one is deleted, is of another user, or is another article', async () => {
    const [short, target] = await reader.pair();
    const other = await DuplicateReader.of(app, lists);
    const [theirs] = await other.pair('theirs');
    const different = await reader.saved('https://site.example/moss', 'https://site.example/moss', {
      resolvedTitle: 'Moss',
    });

    expect(await reader.merge(short, theirs)).toBe(CHANGED);
    expect(await reader.merge(theirs, short)).toBe(CHANGED);
    expect(await reader.merge(short, target, different)).toBe(CHANGED);
    await reader.api.sent({ action: 'delete', item_id: target });
    expect(await reader.merge(short, target)).toBe(CHANGED);

    expect(await reader.ids()).toEqual([short, different].sort());
    expect(await other.ids()).toHaveLength(2);
    expect(await titlesAt(reader.visitor, '/list/trash')).toEqual([]);
  });

  it('are not merged again by the same form', async () => {
    const [short, target] = await reader.pair();

    expect(await reader.merge(short, target)).toBe(MERGED);
    expect(await reader.merge(short, target)).toBe(CHANGED);
    expect(await reader.merge(target, short)).toBe(CHANGED);

    expect(await reader.ids()).toEqual([short]);
  });
});

describe('a large group', () => {
  it('is merged 20 items at a time', async () => {
    for (let at = 0; at < 22; at += 1) {
      await reader.saved(`https://short.example/${at}`, 'https://site.example/ferns');
    }

    const page = await reader.open();
    expect(groupsOf(page)[0]?.querySelectorAll('[type="radio"]')).toHaveLength(20);
    const [first = '', ...others] = [
      ...(groupsOf(page)[0]?.querySelectorAll('[type="radio"]') ?? []),
    ].map((radio) => radio.getAttribute('value') ?? '');

    expect(await reader.merge(first, ...others)).toBe(MERGED);
    expect(await reader.groups()).toEqual([
      ['https://short.example/0', 'https://short.example/20', 'https://short.example/21'],
    ]);
  });
});

describe('merging all groups of a page', () => {
  it('merges each group, and can be undone', async () => {
    await reader.pair('a');
    await reader.pair('b');

    const page = await reader.mergeAll();

    expect(shownText(page, '.done p')).toBe(MERGED);
    expect(await reader.ids()).toHaveLength(2);
    expect(bodyOf(page).querySelectorAll('#undo [name="item[]"]')).toHaveLength(2);
  });

  it('says so if some groups cannot be merged', async () => {
    await reader.pair('a');
    const [short, target] = await reader.pair('b');
    await reader.highlight(short, 'article');
    await reader.highlight(short, 'article.');
    await reader.highlight(target, 'not in the article');

    const page = await reader.mergeAll();

    expect(shownText(page, '.done p')).toContain('Some groups were merged');
    expect(await reader.ids()).toHaveLength(3);
    expect(groupsOf(page)).toHaveLength(1);
  });
});
