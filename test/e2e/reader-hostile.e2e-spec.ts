import { Parser } from 'htmlparser2';
import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

/** Titles and tags that would act as markup if they were not escaped. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus=alert(1) autofocus x='",
  '</a></li></ol></form><form action=//evil.example>',
  '<%= process.env %>',
  '{{constructor.constructor("alert(1)")()}}',
  '&lt;b&gt;&amp;',
  'javascript:alert(1)',
  '\u202egnp.exe\u202c',
  'הָיְתָהtestالصفحات',
  '__proto__',
];

const bodyOf = ({ text }: Response) => parseDocument(text).body;

const textsOf = (page: Response, selector: string): string[] =>
  [...bodyOf(page).querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');

/** Returns markup in a page that does not come from the service's templates. */
function foreignIn({ text }: Response): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (tag, { src = '', action = '', ...attributes }) => {
      const isOwn = (address: string): boolean => address === '' || /^\/(?!\/)/.test(address);
      const isForeign =
        ['style', 'iframe', 'object'].includes(tag) ||
        ![src, action].every(isOwn) ||
        Object.keys(attributes).some((name) => name.startsWith('on') || name === 'style');
      found.push(
        ...(isForeign ? [`${tag} ${JSON.stringify({ src, action, ...attributes })}`] : []),
      );
    },
  });
  parser.end(text);
  return found;
}

describe('titles and tags with malicious text', () => {
  it('are shown as plain text on every page of the list', async () => {
    const api = await ReadingListApi.of(app);
    const visitor = await aVisitor(app, api.user);
    const actions = HOSTILE.map((text, at) => ({
      ...{ action: 'add', url: `https://example.com/${at}`, title: text, time: 1_700_000_000 + at },
      tags: [text.replaceAll(',', '')],
    }));
    await api.send(actions).expect(200);
    const items = await api.items({ sort: 'oldest', detailType: 'complete' });
    const titles = items.map(({ given_title: title }) => title);
    const tags = items.flatMap((item) => Object.keys(item.tags ?? {}));

    const list = await visitor.open('/list?sort=oldest').expect(200);
    const all = await visitor.open('/list/tags/all').expect(200);

    expect(titles).toHaveLength(HOSTILE.length);
    expect(textsOf(list, '.items h2 a')).toEqual(titles);
    expect(textsOf(list, '.items .tag')).toEqual(tags);
    expect(textsOf(all, '.all-tags .tag').toSorted()).toEqual(tags.toSorted());
    expect([...foreignIn(list), ...foreignIn(all)]).toEqual([]);
    for (const link of bodyOf(list).querySelectorAll('.items .tag')) {
      const page = await visitor.open(link.getAttribute('href') ?? '').expect(200);
      expect(textsOf(page, '.items .tag')).toEqual([link.textContent]);
      expect(shownText(page, '.narrowing')).toContain(link.textContent?.trim());
      expect(foreignIn(page)).toEqual([]);
    }
    for (const { item_id: id, given_title: title } of items) {
      const page = await visitor.open(`/list/tags?item=${id}`).expect(200);
      expect(textsOf(page, 'h1 em')).toEqual([title]);
      expect(foreignIn(page)).toEqual([]);
    }
  });

  it('are shown with an automatic text direction', async () => {
    const api = await ReadingListApi.of(app);
    const visitor = await aVisitor(app, api.user);
    await api.add({ url: 'https://example.com/', title: 'الصفحات', tags: 'עברית' }).expect(200);

    const page = await visitor.open('/list').expect(200);

    const directions = [...bodyOf(page).querySelectorAll('.items h2 a, .items .tag')];
    expect(directions.map((element) => element.getAttribute('dir'))).toEqual(['auto', 'auto']);
  });

  it('can be searched for, and the search field contains the entered text', async () => {
    const visitor = await aVisitor(app);

    for (const text of HOSTILE) {
      const query = new URLSearchParams({ search: text, done: text, items: text }).toString();
      const page = await visitor.open(`/list?${query}`).expect(200);
      const field = bodyOf(page).querySelector('#search');
      expect(field?.getAttribute('value')).toBe(text);
      expect(foreignIn(page)).toEqual([]);
    }
  });

  it('are shown on a page that allows only scripts of this service', async () => {
    const visitor = await aVisitor(app);

    const { headers } = await visitor.open('/list').expect(200);

    expect(headers['content-security-policy']).toContain(`script-src 'self'`);
    expect(headers['content-security-policy']).toContain(`frame-ancestors 'none'`);
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });
});

describe('the tags of an item', () => {
  it('can be edited in a form with current tags, suggested tags and new tags', async () => {
    const api = await ReadingListApi.of(app);
    const visitor = await aVisitor(app, api.user);
    await api
      .send([
        {
          action: 'add',
          url: 'https://one.example/a',
          tags: 'news,kept,gone',
          time: 1_700_000_000,
        },
        { action: 'add', url: 'https://one.example/b', tags: 'news,likely', time: 1_700_000_001 },
      ])
      .expect(200);
    const [item] = await api.items({ search: 'one.example/a' });
    const list = await visitor.form('/list?sort=title', '/list/actions');
    const moved = await visitor.submit(list, { one: `edit_tags:${item?.item_id}` }).expect(303);
    const page = await visitor.open(String(moved.headers['location'])).expect(200);
    const { fields } = formIn(page, '/list/actions');

    const boxes = [...bodyOf(page).querySelectorAll('[type=checkbox]')];
    expect(
      boxes.map((box) => `${box.getAttribute('value')} ${box.hasAttribute('checked')}`),
    ).toEqual(['news true', 'kept true', 'gone true', 'likely false']);
    const answer = await visitor.agent
      .post('/list/actions')
      .type('form')
      .send({ ...fields, action: 'tags_replace', 'tag[]': ['kept', 'likely'], tags: 'brand new, ' })
      .expect(303);

    expect(answer.headers['location']).toBe(
      `/list?sort=title&done=tags_replace&items=${item?.item_id}`,
    );
    const [after] = await api.items({ search: 'one.example/a', detailType: 'complete' });
    expect(Object.keys(after?.tags ?? {}).toSorted()).toEqual(['brand new', 'kept', 'likely']);
  });

  it('are not shown to another user', async () => {
    const api = await ReadingListApi.of(app);
    await api.add({ url: 'https://example.com/' }).expect(200);
    const [item] = await api.items();
    const other = await aVisitor(app);

    await other.open(`/list/tags?item=${item?.item_id}`).expect(404);
    await other.open('/list/tags').expect(404);
  });

  it('are listed with their counts and can be searched by a part of the name', async () => {
    const api = await ReadingListApi.of(app);
    const visitor = await aVisitor(app, api.user);
    await api
      .send([
        { action: 'add', url: 'https://example.com/a', tags: '100%,a_b,Reading' },
        { action: 'add', url: 'https://example.com/b', tags: 'axb,reading' },
      ])
      .expect(200);
    const found = async (part: string) => {
      const path = `/list/tags/all?${new URLSearchParams({ find: part }).toString()}`;
      const page = await visitor.open(path).expect(200);
      return [...bodyOf(page).querySelectorAll('.all-tags li')].map(({ textContent }) =>
        textContent?.replace(' Edit', '').trim(),
      );
    };

    expect((await found('')).toSorted()).toEqual(['100% 1', 'Reading 2', 'a_b 1', 'axb 1']);
    expect(await found('A_')).toEqual(['a_b 1']);
    expect(await found('%')).toEqual(['100% 1']);
    expect(await found('\\')).toEqual([]);
  });
});
