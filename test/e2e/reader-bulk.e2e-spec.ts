import { ViewItems } from '../../src/web/reader/list/view-items.js';
import { undo } from '../support/list-reader.js';
import { aVisitor } from '../support/oauth-api.js';
import { headingOf, locationOf, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const START = 1_700_000_000;

/** Creates a reader with items `0`, `1` and so on. Each third item has the tag `third`. */
async function aReaderOf(count: number) {
  const api = await ReadingListApi.of(app);
  const actions = Array.from({ length: count }, (_, at) => ({
    ...{ action: 'add', url: `https://example.com/${at}`, title: `item ${at}`, time: START + at },
    ...{ tags: at % 3 === 0 ? 'third' : '' },
  }));
  for (let at = 0; at < count; at += 100) {
    await api.send(actions.slice(at, at + 100)).expect(200);
  }
  return Object.assign(await aVisitor(app, api.user), { api, ids: [] });
}
type BulkReader = Awaited<ReturnType<typeof aReaderOf>>;

/** Selects all items of the view at a path without scripts, and submits the form. */
const onAll = async (reader: BulkReader, path: string, fields: Record<string, string>) =>
  reader.submit(await reader.form(path, '/list/actions'), { all: '1', ...fields });

const countOf = async ({ api }: BulkReader, filter: object): Promise<number> =>
  Number((await api.found({ total: 1, ...filter }))['total']);

describe('an action on all items of a view', () => {
  it('changes the items of every page, and can be undone', async () => {
    const reader = await aReaderOf(130);

    const answer = await onAll(reader, '/list', { action: 'archive' });

    const page = await reader.open(locationOf(answer)).expect(200);
    expect(shownText(page, '.done')).toBe('130 items archived. Undo');
    expect(shownText(page, '.nothing')).toContain('You have no unread items');
    expect(await countOf(reader, { state: 'archive' })).toBe(130);
    const after = await undo(reader, page);
    expect(shownText(after, '.done')).toBe('130 items marked unread.');
    expect(await countOf(reader, { state: 'unread' })).toBe(130);
  });

  it('deletes them, and restores them if the user undoes the deletion', async () => {
    const reader = await aReaderOf(45);

    const answer = await onAll(reader, '/list', { action: 'delete' });

    const page = await reader.open(locationOf(answer)).expect(200);
    expect(shownText(page, '.done')).toBe('45 items deleted. Undo');
    expect(await countOf(reader, { state: 'all' })).toBe(0);
    await undo(reader, page);
    expect(await countOf(reader, { state: 'unread' })).toBe(45);
  });

  it('changes only the items of the view, also on its second page', async () => {
    const reader = await aReaderOf(123);
    const first = await reader.open('/list?tag=third').expect(200);
    const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';

    const answer = await onAll(reader, next, { action: 'favorite' });

    const page = await reader.open(locationOf(answer)).expect(200);
    expect(shownText(page, '.done')).toBe('41 items added to favorites. Undo');
    expect(await countOf(reader, { favorite: 1 })).toBe(41);
    expect(await countOf(reader, { favorite: 1, tag: 'third' })).toBe(41);
  });

  it('changes the results of a search', async () => {
    const reader = await aReaderOf(45);

    await onAll(reader, '/list?search=example.com%2F4&in=titles', {
      action: 'tags_add',
      tags: 'four',
    });

    expect((await reader.api.names({ tag: 'four', sort: 'oldest' })).join()).toBe(
      '4,40,41,42,43,44',
    );
  });

  it('does not change items that were added after the page was shown', async () => {
    const reader = await aReaderOf(42);
    const form = await reader.form('/list', '/list/actions');
    await reader.api.send([{ action: 'add', url: 'https://example.com/late' }]).expect(200);
    const shown = String(Number(form.fields['shown']) - 60);

    await reader.submit(form, { all: '1', action: 'archive', shown }).expect(303);

    expect(await reader.api.names({ state: 'unread' })).toEqual(['late']);
  });

  it('says so if the limit leaves items unchanged, and if too many were changed for an undo', async () => {
    const reader = await aReaderOf(400);
    jest.replaceProperty(app.app.get(ViewItems), 'mostIds', 350);

    const answer = await onAll(reader, '/list', { action: 'archive' });

    const page = await reader.open(locationOf(answer)).expect(200);
    expect(shownText(page, '.done')).toBe(
      '350 items archived. More items match. To change them too, repeat the action.',
    );
    expect(await countOf(reader, { state: 'unread' })).toBe(50);
    const deletion = await onAll(reader, '/list?state=archive', { action: 'delete' });
    expect(shownText(await reader.open(locationOf(deletion)), '.done')).toBe(
      '350 items deleted. You can restore them from the trash.',
    );
  });

  it('gives the same result twice, at once', async () => {
    const reader = await aReaderOf(120);
    const form = await reader.form('/list', '/list/actions');

    const answers = await Promise.all(
      ['archive', 'archive', 'favorite'].map((action) => reader.submit(form, { all: '1', action })),
    );

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await countOf(reader, { state: 'archive' })).toBe(120);
  });

  it('comes back with a notice if no item is left', async () => {
    const reader = await aReaderOf(42);
    const form = await reader.form('/list', '/list/actions');
    await reader.submit(form, { all: '1', action: 'delete' }).expect(303);

    const answer = await reader.submit(form, { all: '1', action: 'archive' }).expect(303);

    expect(shownText(await reader.open(locationOf(answer)), '.done')).toBe(
      'No item matches any more, so nothing changed.',
    );
  });

  it.each([
    ['of an unknown kind', { action: 'burn' }],
    ['with a tag that is too long', { action: 'tags_add', tags: 'x'.repeat(101) }],
    ['of another page', { action: 'archive', back: '/read/1' }],
    ['of another site', { action: 'archive', back: 'https://example.com/list', shown: 'x' }],
    ['of an invalid view', { action: 'archive', back: '/list?state=everything' }],
    ['without the time of the page', { action: 'archive', shown: '' }],
    ['with another kind of time', { action: 'archive', shown: '1e9' }],
  ])('%s is rejected with an error page and changes nothing', async (_, fields) => {
    const reader = await aReaderOf(42);

    const answer = await onAll(reader, '/list', fields);

    expect(answer.status).toBe(400);
    expect(headingOf(answer)).toBe('Bad Request');
    expect(await countOf(reader, { state: 'unread' })).toBe(42);
  });

  it('is rejected for a script too, so that the service worker reports a change that it has queued', async () => {
    const reader = await aReaderOf(42);
    const { fields } = await reader.form('/list', '/list/actions');
    const sent = (tags: string) =>
      reader
        .post('/list/actions', { ...fields, all: '1', action: 'tags_add', tags })
        .set('Accept', 'application/json');

    await sent('x'.repeat(101)).expect(400);

    expect((await sent('x').expect(200)).body).toEqual({ count: 42 });
  });

  it('is offered only if the view has several pages', async () => {
    const long = await (await aReaderOf(41)).open('/list').expect(200);
    const short = await (await aReaderOf(3)).open('/list').expect(200);

    expect(shownText(long, '.everything')).toBe('Select all 41 items, on every page');
    expect(shownText(short, '.everything')).toBe('');
  });
});
