import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let itemId: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  itemId = await api.saved('https://a.example/', { tags: 'sea,boats' });
});

const page = (tag: string): string => `/list/tags/edit?${new URLSearchParams({ tag }).toString()}`;

const colored = async (tag: string, color: string): Promise<Response> =>
  visitor.submit(await visitor.form(page(tag), '/list/tags/edit/color'), { color });

/** Returns the tags with a color on a page, as `name color`. */
async function colorsOn(path: string, container: string, of = visitor): Promise<string[]> {
  const { text } = await of.open(path).expect(200);
  const { body } = parseDocument(text);
  return [...body.querySelectorAll(container)].flatMap((tag) => {
    const label = tag.querySelector('.tag-color[role=img]')?.getAttribute('aria-label');
    return label ? [`${tag.textContent?.trim() ?? ''} ${label}`] : [];
  });
}

const colors = (): Promise<string[]> => colorsOn('/list/tags/all', '.all-tags .tag');

const rename = async (tag: string, name: string): Promise<void> => {
  const answer = await visitor.submit(await visitor.form(page(tag), '/list/tags/edit'), { name });
  await (answer.status === 303
    ? undefined
    : visitor.submit(formIn(answer, '/list/tags/edit')).expect(303));
};

describe('the color of a tag', () => {
  it('is chosen on the page of the tag, and is shown beside its name', async () => {
    expect(await colors()).toEqual([]);

    const answer = await colored('sea', 'teal');

    expect(locationOf(answer)).toBe('/list/tags/all?done=tag-colored');
    expect(shownText(await visitor.open(locationOf(answer)), '[role=status]')).toContain(
      'The color of the tag is saved.',
    );
    expect(await colors()).toEqual(['sea Teal']);
    expect(await colorsOn(`/read/${itemId}`, '.facts .tag')).toEqual(['sea Teal']);
    expect(await colorsOn(`/list/tags?item=${itemId}`, '.tags label')).toEqual(['sea Teal']);
    const { text } = await visitor.open(page('sea')).expect(200);
    expect(text).toMatch(/value="teal" checked/);
  });

  it('can be changed and removed', async () => {
    await colored('sea', 'teal');
    await colored('sea', 'red');
    expect(await colors()).toEqual(['sea Red']);

    await colored('sea', 'none');

    expect(await colors()).toEqual([]);
  });

  it.each(['mauve', '', 'Red', 'toString', '"><script>'])('rejects the color %j', async (color) => {
    expect((await colored('sea', color)).status).toBe(400);

    expect(await colors()).toEqual([]);
  });

  it('requires a tag of the user, and belongs to one user', async () => {
    const eve = await ReadingListApi.of(app);
    const other = await aVisitor(app, eve.user);
    await eve.saved('https://a.example/', { tags: 'sea' });
    await colored('sea', 'teal');

    const form = await visitor.form(page('sea'), '/list/tags/edit/color');
    await visitor.submit(form, { tag: 'land', color: 'red' }).expect(404);
    expect(await colorsOn('/list/tags/all', '.all-tags .tag', other)).toEqual([]);
  });

  it('moves with a rename, also with a rename of the API', async () => {
    await colored('sea', 'teal');

    await rename('sea', 'Ocean');
    expect(await colors()).toEqual(['Ocean Teal']);
    await rename('Ocean', 'OCEAN');
    expect(await colors()).toEqual(['OCEAN Teal']);
    await api.sent({ action: 'tag_rename', old_tag: 'OCEAN', new_tag: 'water' });

    expect(await colors()).toEqual(['water Teal']);
  });

  it.each([
    ['of the remaining tag', { sea: 'teal', boats: 'red' }, 'boats Red'],
    ['of the renamed tag, if the remaining tag has none', { sea: 'teal' }, 'boats Teal'],
    ['of the remaining tag, if the renamed tag has none', { boats: 'red' }, 'boats Red'],
  ])('is that %s after a merge', async (_, chosen, expected) => {
    for (const [tag, color] of Object.entries(chosen)) {
      await colored(tag, color);
    }

    await rename('sea', 'boats');

    expect(await colors()).toEqual([expected]);
  });

  it('can be exchanged by renames in one call', async () => {
    await colored('sea', 'teal');
    await colored('boats', 'red');

    await api.sent(
      { action: 'tag_rename', old_tag: 'sea', new_tag: 'x' },
      { action: 'tag_rename', old_tag: 'boats', new_tag: 'sea' },
      { action: 'tag_rename', old_tag: 'x', new_tag: 'boats' },
    );

    expect(await colors()).toEqual(['boats Teal', 'sea Red']);
  });

  it('is deleted with the tag', async () => {
    await colored('sea', 'teal');
    const form = await visitor.form(page('sea'), '/list/tags/edit/delete');
    await visitor.submit(form).expect(303);

    await api.sent({ action: 'tags_add', item_id: itemId, tags: 'sea' });

    expect(await colors()).toEqual([]);
  });

  it('returns with a tag that its last item has lost', async () => {
    await colored('sea', 'teal');
    await api.sent({ action: 'tags_remove', item_id: itemId, tags: 'sea' });

    await api.sent({ action: 'tags_add', item_id: itemId, tags: 'sea' });

    expect(await colors()).toEqual(['sea Teal']);
  });

  it('is one of the colors if two are chosen at once', async () => {
    const form = await visitor.form(page('sea'), '/list/tags/edit/color');

    const answers = await Promise.all(
      ['red', 'blue', 'red', 'blue'].map((color) => visitor.submit(form, { color })),
    );

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await colors()).toEqual([expect.stringMatching(/^sea (?:Red|Blue)$/)]);
  });
});
