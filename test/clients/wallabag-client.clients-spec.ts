import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

import { describeClient } from '../support/client-source.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

interface Answer {
  readonly response: Record<string, never>;
  readonly filename: string | null;
  /** The first bytes of the download. */
  readonly start: string;
  readonly error?: string;
}
type Call = readonly [name: string, ...args: readonly unknown[]];

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let folder: string;
let python: ChildProcess;
let lines: Interface;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 4, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
});
afterAll(async () => {
  await app.close();
  await site.stop();
});

async function answerTo(order: object): Promise<Answer> {
  python.stdin!.write(`${JSON.stringify(order)}\n`);
  const [line] = (await once(lines, 'line')) as [string];
  return JSON.parse(line) as Answer;
}

/** Calls a method of one of the package's classes. `params` are named Params of the package. */
async function call(
  module: string,
  [name, ...args]: Call,
  params?: Record<string, unknown>,
): Promise<Answer> {
  const answer = await answerTo({ module, name, arguments: args, ...(params && { params }) });
  expect(answer.error).toBeUndefined();
  return answer;
}

const savedItem = async () => (await api.items({ state: 'all', detailType: 'complete' }))[0];

describeClient(
  'wallabag-client',
  {
    ...{ variable: 'WALLABAG_CLIENT_SOURCE', folders: ['src'] },
    programs: [['python3', '-c', 'import requests, packaging']],
  },
  (source) => {
    beforeEach(async () => {
      api = await ReadingListApi.of(app);
      const { client_id, client_secret } = (await WallabagApi.of(app)).credentials;
      const { email, password } = api.user;
      folder = mkdtempSync(join(tmpdir(), 'satchel-client-'));
      const script = join(process.cwd(), 'test/clients/wallabag-client/session.py');
      const account = [`${app.url}/wallabag`, client_id, client_secret, email, password];
      python = spawn('python3', [script, join(source, 'src'), ...account], {
        ...{ cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] },
      });
      lines = createInterface({ input: python.stdout! });
    });
    afterEach(async () => {
      python.stdin!.end();
      await once(python, 'exit');
      rmSync(folder, { recursive: true, force: true });
    });

    it('accepts its configuration', async () => {
      expect(await answerTo({ name: 'Validator' })).toEqual({
        config: [true, 'The config is suitable.'],
        oauth: [true, 'The configuration is ok.'],
      });
    });

    it('adds, lists, shows, changes, exports and deletes an entry', async () => {
      const url = site.article('from-python');
      const added = { TITLE: 'Von Python', STARRED: true, READ: false, TAGS: 'news,to read' };
      const { response } = await call('add_entry', ['AddEntry', url], added);
      const id = response['id'] as unknown as number;
      expect(await savedItem()).toMatchObject({ given_url: url, favorite: '1', status: '0' });
      expect(tagsOf(await savedItem())).toEqual(['news', 'to read']);

      const list = { COUNT: null, FILTER_READ: false, FILTER_STARRED: null, OLDEST: true };
      const { response: page } = await call('get_list_entries', ['GetListEntries'], {
        ...list,
        TAGS: 'news,to read',
      });
      expect(page).toMatchObject({ total: 1, limit: 30, _embedded: { items: [{ id }] } });
      const exists = await call('entry_exists', ['EntryExists', url]);
      expect(exists.response).toMatchObject({ exists: id });

      await call('update_entry', ['UpdateEntry', id], { TITLE: 'Neu', STAR: false, READ: true });
      const { response: shown } = await call('get_entry', ['GetEntry', id]);
      expect(shown).toMatchObject({ title: 'Neu', is_archived: 1, is_starred: 0 });
      const book = await call('export_entry', ['ExportEntry', id, 'epub']);
      expect(book.filename).toMatch(/\.epub$/);
      expect(book.start).toContain('mimetypeapplication/epub+zip');

      await call('delete_entry', ['DeleteEntry', id]);
      expect(await savedItem()).toBeUndefined();
      const gone = await answerTo({ module: 'get_entry', name: 'GetEntry', arguments: [id] });
      expect(gone.error).toBe('RequestException: Error: 404: API was not found.');
    });

    it('adds tags to an entry, and deletes tags from an entry and from all entries', async () => {
      const url = site.article('tagged-from-python');
      const empty = { TITLE: null, STARRED: null, READ: null, TAGS: null };
      const { response } = await call('add_entry', ['AddEntry', url], empty);
      const ENTRY_ID = response['id'] as unknown as number;
      await call('add_tag_to_entry', ['AddTagToEntry'], { ENTRY_ID, TAGS: 'a,b,c' });
      const { response: tags } = await call('get_tags', ['GetTags']);
      const [first] = tags as unknown as { id: number; label: string; nbEntries: number }[];
      expect(first).toMatchObject({ label: 'a', nbEntries: 1 });

      await call('delete_tag_from_entry', ['DeleteTagFromEntry', ENTRY_ID, first!.id]);
      expect(tagsOf(await savedItem())).toEqual(['b', 'c']);
      await call('delete_tags_by_label', ['DeleteTagsByLabel', 'b']);

      const { response: left } = await call('get_tags_for_entry', ['GetTagsForEntry', ENTRY_ID]);
      expect(left).toMatchObject([{ label: 'c', slug: 't:c' }]);
      expect(tagsOf(await savedItem())).toEqual(['c']);
    });
  },
);
