import {
  aLibrary,
  all,
  anItem,
  HOSTILE,
  SAVED,
  textOf,
} from '../../../../test/support/a-library.js';
import { EXPORT_FORMATS } from './export-formats.js';
import { writeNetscape, writePocketHtml } from './html.js';
import { writeJsonLines } from './jsonl.js';
import type { AnnotatedItem, Library } from './library.js';
import { pocketFiles } from './pocket-csv.js';

async function filesOf(library: Library, rowsInPart?: number): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { path, content } of pocketFiles(library, rowsInPart)) {
    files[path] = await textOf(content);
  }
  return files;
}

describe('JSON lines', () => {
  const written = (withArticles = false): Promise<string> =>
    textOf(writeJsonLines(aLibrary(SAVED), { withArticles }));

  it('have everything, one object a line, the fields always in one order', async () => {
    expect(await written()).toBe(
      [
        '{"satchel":1}',
        `{"url":"https://example.com/?a=1&b=\\"2\\"","title":${JSON.stringify(HOSTILE)},"prefers_given_title":false,"tags":["a b","ü&\\""],"status":"unread","favorite":false,"time_added":1700000000,"time_updated":1700000001,"time_read":0,"time_favorited":0,"number":1}`,
        '{"url":"https://example.com/2","title":"=1+1","prefers_given_title":false,"tags":["x"],"status":"archive","favorite":true,"time_added":1700000000,"time_updated":1700000001,"time_read":1700000002,"time_favorited":5,"number":1,"annotations":[{"annotation_id":"n1","quote":"\\"so\\"","patch":"@@","version":"2","created_at":9,"color":"green","ranges":[{"start":"/p[1]","startOffset":0,"end":"/p[1]","endOffset":4}]}]}',
        '{"url":"https://example.com/3","title":"","prefers_given_title":false,"tags":[],"status":"unread","favorite":false,"time_added":1700000000,"time_updated":1700000001,"time_read":0,"time_favorited":0,"number":1}',
        '',
      ].join('\n'),
    );
  });

  it('have the pages that were read, where articles are wanted', async () => {
    const lines = (await written(true)).split('\n');

    expect(lines[1]).not.toContain('"page"');
    expect(lines[2]).toMatch(/^\{"url":.*\}\],"page":\{.*\},"article":"<p>x<\/p>"\}$/);
    expect(JSON.parse(lines[2]!)).toMatchObject({
      page: { resolved_url: 'https://example.com/2!', word_count: 3, authors: [{ name: 'Ada' }] },
    });
  });
});

describe("Pocket's CSV", () => {
  it('is laid out as Pocket did, and formulas are escaped', async () => {
    expect(await filesOf(aLibrary(SAVED))).toEqual({
      'part_000000.csv': [
        'title,url,time_added,tags,status\n',
        `"${HOSTILE.replaceAll('"', '""')}","https://example.com/?a=1&b=""2""",1700000000,"a b|ü&""",unread\n`,
        "'=1+1,https://example.com/2,1700000000,x,archive\n",
        'https://example.com/3,https://example.com/3,1700000000,,unread\n',
      ].join(''),
      'annotations/part_000000.json':
        '[{"url":"https://example.com/2","title":"=1+1","highlights":[{"quote":"\\"so\\"","created_at":9}]}]',
    });
  });

  it('quotes a line end of any kind', async () => {
    const saved = [{ item: anItem({ title: 'a\rb' }), annotations: [] }];

    expect((await filesOf(aLibrary(saved)))['part_000000.csv']).toContain('\n"a\rb",');
  });

  it.each([
    [0, [1]],
    [9999, [10_000]],
    [10_000, [10_001]],
    [10_001, [10_001, 2]],
    [20_000, [10_001, 10_001]],
  ])('of %d items has parts of %j lines', async (count, lines) => {
    const saved = Array.from({ length: count }, (_, at) => ({
      item: anItem({ itemId: String(at) }),
      annotations: [],
    }));

    const files = await filesOf(aLibrary(saved));

    expect(Object.keys(files)).toEqual(lines.map((_, at) => `part_00000${at}.csv`));
    expect(Object.values(files).map((text) => text.split('\n').length - 1)).toEqual(lines);
  });
});

describe("Pocket's HTML", () => {
  it('has the skeleton of ril_export.html, the newest first, and texts that stay texts', async () => {
    expect(await textOf(writePocketHtml(aLibrary(SAVED)))).toBe(
      [
        '<!DOCTYPE html>',
        '<html>',
        '\t<!--So long and thanks for all the fish-->',
        '\t<head>',
        '\t\t<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />',
        '\t\t<title>Pocket Export</title>',
        '\t</head>',
        '\t<body>',
        '\t\t<h1>Unread</h1>',
        '\t\t<ul>',
        '\t\t\t<li><a href="https://example.com/3" time_added="1700000000" tags="">https://example.com/3</a></li>',
        '\t\t\t<li><a href="https://example.com/?a=1&amp;b=&quot;2&quot;" time_added="1700000000" tags="a b,ü&amp;&quot;">He said &quot;hi&quot;, &lt;/a&gt; &amp; &lt;b&gt;\u202eשלום🧺</a></li>',
        '\t\t</ul>',
        '\t\t',
        '\t\t<h1>Read Archive</h1>',
        '\t\t<ul>',
        '\t\t\t<li><a href="https://example.com/2" time_added="1700000000" tags="x">=1+1</a></li>',
        '\t\t</ul>',
        '\t</body>',
        '</html>',
        '',
      ].join('\n'),
    );
  });
});

describe('a bookmark file', () => {
  it('has what other services read of tags, times, states and favorites', async () => {
    expect(await textOf(writeNetscape(aLibrary(SAVED)))).toBe(
      [
        '<!DOCTYPE NETSCAPE-Bookmark-file-1>',
        '<!-- Exported by Satchel -->',
        '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">',
        '<TITLE>Bookmarks</TITLE>',
        '<H1>Bookmarks</H1>',
        '<DL><p>',
        '    <DT><A HREF="https://example.com/3" ADD_DATE="1700000000" LAST_MODIFIED="1700000001" PRIVATE="1" TOREAD="1" TAGS="">https://example.com/3</A>',
        '    <DT><A HREF="https://example.com/2" ADD_DATE="1700000000" LAST_MODIFIED="1700000001" PRIVATE="1" TOREAD="0" DATA-IMPORTANT="true" TAGS="x">=1+1</A>',
        '    <DT><A HREF="https://example.com/?a=1&amp;b=&quot;2&quot;" ADD_DATE="1700000000" LAST_MODIFIED="1700000001" PRIVATE="1" TOREAD="1" TAGS="a b,ü&amp;&quot;">He said &quot;hi&quot;, &lt;/a&gt; &amp; &lt;b&gt;\u202eשלום🧺</A>',
        '</DL><p>',
        '',
      ].join('\n'),
    );
  });
});

describe('a long list', () => {
  const COUNT = 50_000;
  const counted = (): { library: Library; read: () => number } => {
    let read = 0;
    async function* many(): AsyncGenerator<AnnotatedItem> {
      await Promise.resolve();
      for (; read < COUNT; read += 1) {
        yield { item: anItem({ itemId: String(read) }), annotations: [] };
      }
    }
    return { library: { ...aLibrary([]), annotatedItems: many }, read: () => read };
  };

  it.each(['jsonl', 'pocket-csv'] as const)('leaves as %s piece by piece', async (format) => {
    const { library, read } = counted();

    let largest = 0;
    for await (const chunk of EXPORT_FORMATS[format].write(library, { withArticles: false })) {
      largest = Math.max(largest, chunk.length);
    }

    expect(read()).toBe(COUNT);
    expect(largest).toBeLessThan(200_000);
  });

  it.each(['jsonl', 'pocket-csv'] as const)(
    'is read no further as %s than wanted',
    async (format) => {
      const { library, read } = counted();

      for await (const chunk of EXPORT_FORMATS[format].write(library, { withArticles: false })) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }

      expect(read()).toBeLessThan(COUNT / 2);
    },
  );

  it.each(['jsonl', 'pocket-csv'] as const)('that breaks off breaks %s off', async (format) => {
    async function* broken(): AsyncGenerator<AnnotatedItem> {
      yield* SAVED;
      await Promise.reject(new Error('the database is gone'));
    }
    const library = { ...aLibrary([]), annotatedItems: broken };

    const chunks = all<string | Buffer>(
      EXPORT_FORMATS[format].write(library, { withArticles: false }),
    );

    await expect(chunks).rejects.toThrow('the database is gone');
  });
});
