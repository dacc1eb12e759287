import type { Response } from 'supertest';

import { aVisitor } from '../support/oauth-api.js';
import {
  formIn,
  headingOf,
  locationOf,
  type PageVisitor,
  shownText,
} from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  await api.saved('https://sea.example/', { tags: 'sea', title: 'At sea' });
  await api.saved('https://land.example/', { tags: 'land', title: 'On land' });
});

const SEA = '/list?tag=sea';

const saved = async (name: string, path = SEA): Promise<Response> =>
  visitor.submit(await visitor.form(path, '/list/lists'), { name });

/** Saves a list, and returns the address to which the browser is led. */
async function openedList(name: string, path = SEA): Promise<string> {
  const answer = await saved(name, path);
  expect(answer.status).toBe(303);
  return locationOf(await visitor.open(locationOf(answer)).expect(303));
}

const names = async (): Promise<string[]> =>
  [
    ...(await visitor.open('/list/lists').expect(200)).text.matchAll(/<h2 [^>]*><a [^>]*>([^<]*)/g),
  ].map(([, name = '']) => name);

/** Returns the id of the list with a name. */
async function idOf(name: string): Promise<string> {
  const { text } = await visitor.open('/list/lists').expect(200);
  const [, lists = ''] = text.split('class="items saved-lists"');
  const [, after = ''] = lists.split(`>${name}<`);
  return /name="id" value="([^"]+)"/.exec(after)?.[1] ?? '';
}

async function moved(name: string, direction: string): Promise<void> {
  const form = await visitor.form('/list/lists', '/list/lists/move');
  await visitor.submit(form, { id: await idOf(name), direction }).expect(303);
}

async function deleted(name: string): Promise<Response> {
  const id = await idOf(name);
  const form = await visitor.form(`/list/lists/edit?id=${id}`, '/list/lists/delete');
  return visitor.open(locationOf(await visitor.submit(form).expect(303))).expect(200);
}

describe('a saved list', () => {
  it('is created from the current view, and is opened by its name', async () => {
    const page = await visitor.open(await openedList('By the sea')).expect(200);

    expect(headingOf(page)).toBe('By the sea');
    expect(shownText(page, '.items')).toContain('At sea');
    expect(shownText(page, '.items')).not.toContain('On land');
    expect(shownText(page, '.tabs [aria-current]')).toBe('By the sea');
  });

  it('is a tab on the other pages of the reader', async () => {
    await openedList('By the sea');

    for (const path of ['/list', '/list/tags/all', '/list/trash', '/list/lists']) {
      const { text } = await visitor.open(path).expect(200);
      expect(text).toContain('<a href="/list/l/By%20the%20sea">By the sea</a>');
    }
  });

  it('is offered for each view except the default one', async () => {
    const forms = await Promise.all(
      ['/list', '/list?state=archive', '/list?search=sea', '/list?sort=oldest'].map(async (path) =>
        (await visitor.open(path).expect(200)).text.includes('action="/list/lists"'),
      ),
    );

    expect(forms).toEqual([false, true, true, true]);
  });

  it('keeps its address if its conditions change', async () => {
    const path = await openedList('Mine');
    const wider = `${path}&state=archive`;
    const page = await visitor.open(wider).expect(200);

    const answer = await visitor.submit(formIn(page, '/list/lists/conditions'));

    expect(locationOf(answer)).toBe('/list/l/Mine');
    const opened = locationOf(await visitor.open('/list/l/mine').expect(303));
    expect(new URL(opened, app.url).searchParams.get('state')).toBe('archive');
    expect(headingOf(await visitor.open(opened).expect(200))).toBe('Mine');
  });

  it.each([
    ['an empty name', ' ', 'at least one visible character'],
    ['a long name', 'x'.repeat(101), 'at most 100 characters'],
    ['two dots', '..', 'at least one visible character'],
    ['a taken name', 'TAKEN', 'already have a list with this name'],
  ])('is not created with %s', async (_, name, reason) => {
    await openedList('Taken');

    const answer = await saved(name);

    expect(answer.status).toBe(400);
    expect(shownText(answer, '[role=alert]')).toContain(reason);
    expect(formIn(answer, '/list/lists').fields).toMatchObject({ view: SEA, name });
    expect(await names()).toEqual(['Taken']);
  });

  it.each(['a/b', 'a%2Fb', '?', '#1', 'ß & ü', '日本', '<b>"'])('can be named %s', async (name) => {
    const page = await visitor.open(await openedList(name)).expect(200);

    expect(headingOf(page)).toBe(name);
  });

  it('is saved once if two browsers save it at once', async () => {
    const form = await visitor.form(SEA, '/list/lists');

    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => (await visitor.submit(form, { name: 'One' })).status),
    );

    expect(answers.toSorted((a, b) => a - b)).toEqual([303, 400, 400, 400]);
    expect(await names()).toEqual(['One']);
  });

  it('can be renamed and taken off the tabs', async () => {
    await openedList('Old');
    const form = await visitor.form(`/list/lists/edit?id=${await idOf('Old')}`, '/list/lists/edit');

    await visitor.submit(form, { name: 'New' }).expect(303);

    expect(await names()).toEqual(['New']);
    expect((await visitor.open('/list').expect(200)).text).not.toContain('/list/l/New');
    await visitor.open('/list/l/New').expect(303);
    await visitor.open('/list/l/Old').expect(404);
  });

  it('gets a feed with the first feed address, and a place in the catalogue', async () => {
    await openedList('By the sea');
    const id = await idOf('By the sea');
    const path = `/list/lists/edit?id=${id}`;
    const form = await visitor.form(path, '/list/lists/edit');
    const addresses = (page: Response): string[] =>
      [...page.text.matchAll(/href="[^"]*(\/feeds\/[^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses(await visitor.open(path).expect(200))).toEqual([]);

    const answers = await Promise.all(
      ['articles', 'articles', 'articles'].map((feed) =>
        visitor.submit(form, { feed, shelf: '1' }).expect(303),
      ),
    );

    expect(answers).toHaveLength(3);
    const [atom = '', json = ''] = addresses(await visitor.open(path).expect(200));
    expect(atom).toMatch(/\/list\/By%20the%20sea\.atom$/);
    expect(addresses(await visitor.open('/list/lists').expect(200))).toEqual([atom, json]);
    expect(addresses(await visitor.open('/account/devices').expect(200))).toContain(json);
    await visitor.open(atom).expect(200);
    expect((await visitor.open(path)).text).toContain('name="shelf" value="1" checked');
    await visitor.submit(form, { feed: 'hostile' }).expect(303);
    await visitor.open(atom).expect(404);
    expect(addresses(await visitor.open(path).expect(200))).toEqual([]);
  });

  it('can be moved among the other lists', async () => {
    for (const name of ['a', 'b', 'c']) {
      await openedList(name);
    }

    await moved('c', 'up');
    expect(await names()).toEqual(['a', 'c', 'b']);
    await moved('a', 'down');
    expect(await names()).toEqual(['c', 'a', 'b']);
    await moved('b', 'down');
    expect(await names()).toEqual(['c', 'a', 'b']);
  });

  it('is deleted without its items, and restored at its old place', async () => {
    await openedList('a');
    await openedList('b');

    const page = await deleted('a');

    expect(await names()).toEqual(['b']);
    await visitor.open('/list/l/a').expect(404);
    expect((await api.items()).length).toBe(2);
    await visitor.submit(formIn(page, '/list/lists/restore')).expect(303);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('is not restored if another list has taken its name', async () => {
    await openedList('a');
    const page = await deleted('a');
    await openedList('A');

    const answer = await visitor.submit(formIn(page, '/list/lists/restore'));

    expect(answer.status).toBe(400);
    expect(await names()).toEqual(['A']);
  });

  it('is not restored later than an hour after its deletion', async () => {
    await openedList('a');
    const page = await deleted('a');
    await app.database.query(
      `UPDATE saved_lists SET deleted_at = now() - interval '61 minutes' WHERE user_id = $1`,
      [api.user.id],
    );

    expect((await visitor.submit(formIn(page, '/list/lists/restore'))).status).toBe(400);
    expect(await names()).toEqual([]);
  });

  it('is refused above a hundred lists', async () => {
    await openedList('0');
    await app.database.query(
      `INSERT INTO saved_lists (user_id, name, name_key, conditions, place)
       SELECT user_id, n::text, n::text, conditions, n + 1 FROM saved_lists, generate_series(1, 99) n
       WHERE name = '0' AND user_id = $1`,
      [api.user.id],
    );

    const answer = await saved('one more');

    expect(answer.status).toBe(400);
    expect(shownText(answer, '[role=alert]')).toContain('You can save 100 lists.');
  });

  it('is not shown if this version does not understand its conditions', async () => {
    await openedList('Later');
    await app.database.query(
      `UPDATE saved_lists SET conditions = conditions || '{"mood": "calm"}' WHERE user_id = $1`,
      [api.user.id],
    );

    await visitor.open('/list/l/Later').expect(404);
    expect(shownText(await visitor.open('/list/lists').expect(200), '.saved-lists')).toContain(
      'does not understand all of its conditions',
    );
  });

  it('belongs to its user alone', async () => {
    await openedList('Mine');
    const id = await idOf('Mine');
    const other = await ReadingListApi.of(app);
    const stranger = await aVisitor(app, other.user);

    await stranger.open('/list/l/Mine').expect(404);
    await stranger.open(`/list/lists/edit?id=${id}`).expect(404);
    const token = await stranger.csrfToken();
    for (const action of ['edit', 'conditions', 'move']) {
      await stranger
        .post(`/list/lists/${action}`, { _csrf: token, id, name: 'Theirs', view: SEA })
        .expect(404);
    }
    await stranger.post('/list/lists/delete', { _csrf: token, id }).expect(303);
    expect(await names()).toEqual(['Mine']);
  });

  it.each(['/account', '//evil.example/list', 'https://evil.example/list', '/list?time=never', ''])(
    'is not created from %s',
    async (view) => {
      const token = await visitor.csrfToken();

      await visitor.post('/list/lists', { _csrf: token, name: 'Odd', view }).expect(400);

      expect(await names()).toEqual([]);
    },
  );
});
