import type { Response } from 'supertest';

import { aVisitor } from '../support/oauth-api.js';
import { formIn, locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let first: string;
let second: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  first = await api.saved('https://a.example/', { tags: 'sea,boats' });
  second = await api.saved('https://b.example/', { tags: 'sea' });
});

const page = (tag: string): string => `/list/tags/edit?${new URLSearchParams({ tag }).toString()}`;

const renamed = async (tag: string, name: string): Promise<Response> =>
  visitor.submit(await visitor.form(page(tag), '/list/tags/edit'), { name });

const tags = async (): Promise<string[][]> =>
  Promise.all([first, second].map(async (id) => tagsOf(await api.item(id))));

describe('the page of a tag', () => {
  it('is linked from the page with all tags, and shows the number of items', async () => {
    const all = await visitor.open('/list/tags/all').expect(200);
    expect(all.text).toContain('href="/list/tags/edit?tag=sea"');

    expect(shownText(await visitor.open(page('sea')).expect(200), '.hint')).toContain('2 items');
  });

  it('is shown below the tag whose name it continues', async () => {
    await api.saved('https://c.example/', { tags: 'Sea/north,sea/north/ice,a/b' });

    const all = await visitor.open('/list/tags/all').expect(200);

    const shown = [
      ...all.text.matchAll(/<li(?: class="([^"]+)")?><a class="tag"[^>]*>(.*?)<\/a>/g),
    ];
    expect(shown.map(([, depth = '', name = '']) => `${depth} ${name}`)).toEqual([
      ' a/b',
      ' boats',
      ' sea',
      'below-1 <span class="hidden">Sea/</span>north',
      'below-2 <span class="hidden">sea/north/</span>ice',
    ]);
  });

  it('renames the tag of all items', async () => {
    const answer = await renamed('sea', ' the   sea ');

    expect(locationOf(answer)).toBe('/list/tags/all?done=tag-renamed');
    expect(shownText(await visitor.open(locationOf(answer)), '[role=status]')).toContain(
      'The tag is renamed.',
    );
    expect(await tags()).toEqual([['boats', 'the sea'], ['the sea']]);
  });

  it('changes the upper and lower case of a name without a question', async () => {
    expect((await renamed('sea', 'Sea')).status).toBe(303);

    expect(await tags()).toEqual([['Sea', 'boats'], ['Sea']]);
  });

  it('asks before it merges the tag with another one', async () => {
    const asked = await renamed('sea', 'Boats');

    expect(asked.status).toBe(200);
    expect(shownText(asked, '[role=status]')).toContain('the tag boats with 1 item');
    expect(await tags()).toEqual([['boats', 'sea'], ['sea']]);

    expect((await visitor.submit(formIn(asked, '/list/tags/edit'), {})).status).toBe(303);
    expect(await tags()).toEqual([['boats'], ['boats']]);
  });

  it('asks again if the other tag is not the one of the question', async () => {
    const asked = await renamed('sea', 'boats');

    const again = await visitor.submit(formIn(asked, '/list/tags/edit'), { merge: '1' });

    expect(again.status).toBe(200);
    expect(await tags()).toEqual([['boats', 'sea'], ['sea']]);
  });

  it('has the same answer for a second click', async () => {
    const form = await visitor.form(page('sea'), '/list/tags/edit');

    const answers = [
      await visitor.submit(form, { name: 'x' }),
      await visitor.submit(form, { name: 'x' }),
    ];

    expect(answers.map(locationOf)).toEqual(
      Array.from({ length: 2 }, () => '/list/tags/all?done=tag-renamed'),
    );
    expect((await visitor.submit(form, { name: 'unknown' })).status).toBe(404);
  });

  it('deletes the tag, and keeps the items', async () => {
    const form = await visitor.form(page('sea'), '/list/tags/edit/delete');

    expect(locationOf(await visitor.submit(form, {}))).toBe('/list/tags/all?done=tag-deleted');

    expect(await tags()).toEqual([['boats'], []]);
    await visitor.open(page('sea')).expect(404);
  });

  it.each(['', '  ', 'a,b', 'x'.repeat(101), '_untagged_'])(
    'rejects the name "%s" and changes nothing',
    async (name) => {
      const refused = await renamed('sea', name);

      expect(refused.status).toBe(400);
      expect(shownText(refused, '[role=alert]')).toContain('at most 100 characters');
      expect(await tags()).toEqual([['boats', 'sea'], ['sea']]);
    },
  );

  it.each(['', 'unknown', 'x'.repeat(300), '_untagged_'])(
    'does not exist for "%s"',
    async (tag) => {
      await visitor.open(page(tag)).expect(404);
    },
  );

  it('shows a name with markup as text, and changes only the tags of the user', async () => {
    const name = '<b>"&amp;';
    await api.results({ action: 'tags_add', item_id: first, tags: name });
    const other = await ReadingListApi.of(app);
    const id = await other.saved('https://a.example/', { tags: name });

    expect(shownText(await visitor.open(page(name)).expect(200), 'h1')).toBe(name);
    await renamed(name, 'plain');

    expect(tagsOf(await other.item(id))).toEqual([name]);
    expect(tagsOf(await api.item(first))).toContain('plain');
  });
});

describe('the commas between tags in a form', () => {
  it.each([',', '，', '、', '،'])('may be "%s"', async (comma) => {
    const text = ['one', 'two'].join(comma);
    const form = await visitor.form(`/list/tags?item=${second}`, '/list/actions');
    await visitor.submit(form, { tags: text, action: 'tags_replace' });
    await visitor.submit(await visitor.form(`/read/${first}/edit`, `/read/${first}/edit`), {
      tags: text,
    });
    await visitor.submit(await visitor.form('/save', '/save'), {
      url: 'https://c.example/',
      tags: text,
    });

    expect(await tags()).toEqual([['one', 'two'], expect.arrayContaining(['one', 'two'])]);
    const saved = (await api.items({ detailType: 'complete' })).find(
      ({ given_url: url }) => url === 'https://c.example/',
    );
    expect(tagsOf(saved)).toEqual(['one', 'two']);
  });
});
