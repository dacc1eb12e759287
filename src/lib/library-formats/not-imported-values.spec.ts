import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ImportRow, ItemToImport } from './format.js';
import { type NotImportedField, NotImportedFields } from './not-imported.js';
import { readFile } from './read-file.js';

interface Read {
  readonly items: readonly ItemToImport[];
  readonly notImported: readonly NotImportedField[];
}

const URL = 'https://a.example/';

describe('values of flags and states', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'not-imported-values-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  async function readContent(content: string): Promise<Read> {
    const path = join(directory, 'file');
    await writeFile(path, content);
    const notImported = new NotImportedFields();
    const rows: ImportRow[] = [];
    for await (const row of (await readFile(path)).rows(notImported)) {
      rows.push(row);
    }
    const items = rows.flatMap((row) => ('item' in row ? [row.item] : []));
    return { items, notImported: notImported.report().fields };
  }

  const column = (name: string, rows = 1): NotImportedField => ({
    path: '',
    kind: 'column',
    name,
    rows,
  });

  it.each([
    ['favorite', `url,favorite\n${URL},★\n`],
    ['favorite', `url,favorite\n${URL},ja\n`],
    ['Status', `url,Status\n${URL},Finished reading\n`],
    ['state', `url,state\n${URL},gelesen\n`],
    ['archived', `url,archived\n${URL},perhaps\n`],
    ['unread', `url,unread\n${URL},later\n`],
    ['Favorited', `URL,Highlight Count,Last Interaction Date,Favorited\n${URL},0,,★\n`],
    ['status', `title,url,time_added,tags,status\nA,${URL},1,,deleted\n`],
    [
      'favorite',
      `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n1,A,,,${URL},,,,,,★\n`,
    ],
  ])('that are not understood are reported: %s', async (name, content) => {
    const { items, notImported } = await readContent(content);

    expect(notImported).toEqual([column(name)]);
    expect(items[0]?.status ?? items[0]?.favorite).toBeUndefined();
  });

  it('are reported with the number of their rows', async () => {
    const { notImported } = await readContent(
      `url,status\n${URL}1,Reading\n${URL}2,unread\n${URL}3,\n${URL}4,Archiv\n`,
    );

    expect(notImported).toEqual([column('status', 2)]);
  });

  it('that are not understood are reported for JSON', async () => {
    const { notImported } = await readContent(
      `[{"url":"${URL}","is_archived":"ja","is_starred":1}]`,
    );

    expect(notImported).toEqual([{ path: '', kind: 'key', name: 'is_archived', rows: 1 }]);
  });

  it.each([
    ['on', `url,favorite\n${URL},on\n`, { favorite: 1 }],
    ['No', `url,archived\n${URL},No\n`, { status: 0 }],
    [
      'Yes in Matter',
      `URL,Highlight Count,Last Interaction Date,In Queue\n${URL},0,,Yes\n`,
      { status: 0 },
    ],
    [
      'a date of archiving',
      `url,archived\n${URL},2023-11-14\n`,
      { status: 1, timeRead: 1699920000 },
    ],
    ['a time of reading', `url,read\n${URL},1699920000\n`, { status: 1, timeRead: 1699920000 }],
  ])('are understood: %s', async (_, content, item) => {
    expect(await readContent(content)).toMatchObject({ items: [item], notImported: [] });
  });
});
