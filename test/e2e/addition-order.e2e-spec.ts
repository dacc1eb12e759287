import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { exportCall } from '../support/export-call.js';
import { ImportApi } from '../support/import-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NAMES = [...'hbegadcf'];
const NEWEST = NAMES.toReversed();
/** The same second for all items, so that the time does not decide the order. */
const TIME = 1_700_000_000;
/** More rows than one transaction of an import. */
const MANY = Array.from({ length: 250 }, (_, n) => `p${(n * 91) % 250}`);

let app: TestApp;
let api: ReadingListApi;
let key: string;

const urlOf = (name: string): string => `https://example.com/${name}`;
const adding = (name: string, more: object = {}) => ({
  ...{ action: 'add', url: urlOf(name), time: TIME },
  ...more,
});
const acting = (action: string, name: string) => ({ action, url: urlOf(name), time: TIME });

beforeAll(async () => {
  app = await aTestApp();
  key = (await ReadingListApi.of(app, { dialect: Dialect.Classic })).consumerKey;
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app, { key });
});

describe('items with the same time_added', () => {
  it.each([{}, { tag: 'x' }, { search: 'example' }, { state: 'unread' }, { since: 1 }])(
    'keep the order in which one /v3/send call added them: %j',
    async (filter) => {
      await api.sent(...NAMES.map((name) => adding(name, { tags: 'x' })));

      expect(await api.names({ ...filter, sort: 'newest' })).toEqual(NEWEST);
      expect(await api.names({ ...filter, sort: 'oldest' })).toEqual(NAMES);
      expect(await api.names({ ...filter, sort: 'newest', offset: 3, count: 2 })).toEqual(
        NEWEST.slice(3, 5),
      );
    },
  );

  it('keep the order in which several calls added them', async () => {
    for (const name of NAMES) {
      await api.saved(urlOf(name), { time: TIME });
    }

    expect(await api.names()).toEqual(NEWEST);
  });

  it.each([
    ['add', adding],
    ['readd', (name: string) => acting('readd', name)],
  ])('move to the top when added again with %s', async (_action, again) => {
    await api.sent(...NAMES.map((name) => adding(name, { tags: 'x' })), acting('archive', 'g'));

    await api.sent(again('g'));

    const others = NEWEST.filter((name) => name !== 'g');
    expect(await api.names()).toEqual(['g', ...others]);
    expect(await api.names({ tag: 'x' })).toEqual(['g', ...others]);
  });

  it('keep their order when other fields change', async () => {
    await api.sent(...NAMES.map((name) => adding(name)), acting('archive', 'g'));

    await api.sent(acting('undo_archive', 'g'), acting('favorite', 'b'), {
      ...acting('tags_add', 'h'),
      tags: 'x',
    });

    expect(await api.names()).toEqual(NEWEST);
  });

  it('come after items with a later time_added that were added before them', async () => {
    await api.sent(adding('later', { time: TIME + 1 }), adding('sooner'));

    expect(await api.names()).toEqual(['later', 'sooner']);
  });
});

describe('imported rows with the same time', () => {
  const imported = async (file: string | Buffer) => {
    const { state, added } = await new ImportApi(app, api).imported(file);
    expect({ state, added }).toEqual({ state: 'done', added: MANY.length });
    return api.names({ sort: 'newest', count: 5000 });
  };

  it('are added in the order of the file for Pocket CSV, whose oldest row is first', async () => {
    const rows = MANY.map((name) => `,${urlOf(name)},${TIME},,unread\n`);

    const names = await imported(`title,url,time_added,tags,status\n${rows.join('')}`);

    expect(names).toEqual(MANY.toReversed());
    expect(await api.names({ sort: 'oldest', count: 5000 })).toEqual(MANY);
  });

  it('are added in reverse order of the file for Pocket HTML, whose newest row is first', async () => {
    const rows = MANY.map(
      (name) => `<li><a href="${urlOf(name)}" time_added="${TIME}" tags="">x</a></li>\n`,
    );

    const names = await imported(`<h1>Unread</h1><ul>${rows.join('')}</ul>`);

    expect(names).toEqual(MANY);
  });

  it('keep their order when the file is imported again', async () => {
    const file = NAMES.map((name) => `,${urlOf(name)},${TIME},,unread\n`).join('');
    const imports = new ImportApi(app, api);
    await imports.imported(`title,url,time_added,tags,status\n${file}`);
    await api.sent(adding('new'));

    const again = await imports.imported(`title,url,time_added,tags,status\n${file}`);

    expect(again.unchanged).toBe(NAMES.length);
    expect(await api.names()).toEqual(['new', ...NEWEST]);
  });

  it.each(['jsonl', 'pocket-csv', 'pocket-html', 'netscape'])(
    'keep their order when exported and imported as %s',
    async (format) => {
      await api.sent(...MANY.map((name) => adding(name)));
      const file = (await exportCall(app, api, { format }).expect(200)).body as Buffer;

      api = await ReadingListApi.of(app, { key });

      expect(await imported(file)).toEqual(MANY.toReversed());
    },
  );
});
