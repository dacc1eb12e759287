import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { parse } from 'csv-parse/sync';

import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCaller } from '../support/wallabag-caller.js';
import { strictAnnotation, strictEntry, strictTag } from '../support/wallabag-entry.js';

let app: TestApp;
let ada: WallabagCaller;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await WallabagCaller.of(app);
});

const at = (name: string): string => `https://example.com/${name}`;

describe('tags of the wallabag API', () => {
  it('are listed by label with their number of entries, and have stable ids', async () => {
    const number = await ada.saved(at('one'), { tags: 'beta,Alpha & Ω' });
    await ada.saved(at('two'), { tags: 'BETA' });
    await (await WallabagCaller.of(app)).saved(at('one'), { tags: 'theirs' });

    const { body } = await ada.get('tags.json').expect(200);
    const ofOne = await ada.get(`entries/${number}/tags.json`).expect(200);

    const tags = body as { id: number; label: string; slug: string; nbEntries: number }[];
    expect(tags).toEqual([
      { id: expect.any(Number), label: 'alpha & ω', slug: 't:alpha-ω', nbEntries: 1 },
      { id: expect.any(Number), label: 'beta', slug: 't:beta', nbEntries: 2 },
    ]);
    expect((ofOne.body as unknown[]).map((tag) => strictTag(tag).id).toSorted()).toEqual(
      tags.map(({ id }) => id).toSorted(),
    );
  });
});

describe('annotations of the wallabag API', () => {
  it('are returned for an entry, and as part of the entry', async () => {
    const number = await ada.saved(at('marked'));
    const [item] = await ada.v3.items();
    await ada.v3.results({
      action: 'add_annotation',
      item_id: item!.item_id,
      annotation: {
        annotation_id: 'a',
        patch: '',
        quote: 'Some words',
        version: '2',
        note: 'Mine',
      },
    });

    const { body } = await ada.get(`annotations/${number}.json`).expect(200);

    const { total, rows } = body as { total: number; rows: unknown[] };
    expect(total).toBe(rows.length);
    expect((await ada.entry(number)).annotations).toEqual(rows);
    for (const row of rows) {
      strictAnnotation(row);
    }
    expect(rows).toEqual([
      expect.objectContaining({ quote: 'Some words', ranges: [], user: 'Ada' }),
    ]);
  });
});

describe('a search of the wallabag API', () => {
  it('finds entries by words, in pages', async () => {
    await ada.saved(at('one'), { title: 'A walrus' });
    await ada.saved(at('two'), { title: 'An owl' });

    // Waits until the service has written the search words.
    const due = () => app.database.query('SELECT FROM due_texts');
    await until(async () => (await due()).length === 0, 'the writing of words');

    const list = await ada.list({ term: 'walrus', perPage: 1 }, 'search');

    expect(list).toMatchObject({ total: 1, pages: 1, limit: 1 });
    expect(list.items.map(({ title }) => title)).toEqual(['A walrus']);
    expect(list._links['self']!.href).toMatch(/\/api\/search\?.*\bterm=walrus\b/);
    expect(await ada.list({ term: '' }, 'search')).toMatchObject({ total: 0, pages: 1 });
  });
});

describe('an export of the wallabag API', () => {
  it('is a file of one entry as text, JSON or Markdown', async () => {
    const number = await ada.saved(at('file'), { title: 'Ünder "quotes"' });
    const path = `entries/${number}/export`;

    const text = await ada.get(`${path}.txt`).expect(200);
    const json = await ada.get(`${path}.json`).expect(200);
    const markdown = await ada
      .get(`${path}.md`)
      .buffer(true)
      .parse((response, done) => {
        const parts: Buffer[] = [];
        response
          .on('data', (part: Buffer) => parts.push(part))
          .on('end', () => {
            done(null, Buffer.concat(parts).toString());
          });
      })
      .expect(200);
    expect(text.text).toContain(at('file'));
    expect(text.headers['content-disposition']).toBe('attachment; filename="Under quotes.txt"');
    strictEntry((json.body as unknown[])[0]);
    expect(markdown.body).toMatch(/^# Ünder "quotes"\n/);
  });

  it('is a file of one entry as CSV or XML', async () => {
    const number = await ada.saved(at('rows'), {
      title: 'A; "table" & <more>',
      tags: 'one,two words',
    });
    const path = `entries/${number}/export`;

    const csv = await ada.get(`${path}.csv`).expect(200);
    const xml = await ada.get(`${path}.xml`).buffer(true).expect(200);

    expect(csv.headers['content-type']).toBe('text/csv; charset=UTF-8');
    expect(csv.text.split('\n')[0]).toBe('Title;URL;Content;Tags;MIME Type;Language;Creation date');
    const [[title, url, , tags] = []] = parse(csv.text, { delimiter: ';', from: 2 });
    expect([title, url, tags]).toEqual(['A; "table" & <more>', at('rows'), 'one, two words']);
    expect(xml.headers['content-type']).toBe('application/xml');
    expect(xml.headers['content-disposition']).toContain('filename="A table more.xml"');
    const tree = new DOMParser({ onError: onErrorStopParsing }).parseFromString(
      xml.text,
      'text/xml',
    );
    const shown = (name: string): (string | null)[] =>
      [...tree.getElementsByTagName(name)].map(({ textContent }) => textContent);
    expect(tree.documentElement?.firstChild?.nodeName).toBe('entry');
    expect(shown('title')).toEqual(['A; "table" & <more>']);
    expect(shown('reading_time')).toEqual(['0']);
    expect(shown('label')).toEqual(['one', 'two words']);
    expect(shown('archived_at')).toEqual(['']);
  });

  it.each(['pdf', 'docx', 'EPUB', 'constructor'])(
    'returns 404 for %s and lists the supported formats',
    async (format) => {
      const number = await ada.saved(at('none'));

      const { body } = await ada.get(`entries/${number}/export.${format}`).expect(404);

      expect(body).toEqual({
        ...{ code: 404, message: 'Not Found', error: 'not_found' },
        error_description:
          'Entries are not written in this format, but in EPUB, txt, md, csv, xml and json.',
      });
    },
  );
});
