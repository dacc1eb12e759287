import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from '../support/oauth-api.js';
import { locationOf, type PageVisitor } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const FILLER = `<p>${'Plain words about the harbour. '.repeat(20)}</p>`;

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let id: string;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});

/** Saves an article with this content. */
async function article(content: string): Promise<void> {
  const html = `<title>Lamps</title><article><h1>Lamps</h1>${FILLER}${content}${FILLER}</article>`;
  id = await api.saved('https://harbour.example/lamps', { html });
}

/** Adds a highlight. Returns its id. */
async function added(fields: Record<string, string>): Promise<string> {
  const form = { _csrf: await visitor.csrfToken(), ...fields };
  const answer = await visitor.post(`/read/${id}/highlights`, form).then((one) => one);
  const place = answer.status === 303 ? locationOf(answer) : '';
  return /#highlight-(.*)$/.exec(place)?.[1] ?? `no highlight: ${answer.status}`;
}

/** Returns the marked texts, each with the text of its paragraph or block before the mark. */
async function marks(): Promise<string[]> {
  const page: Response = await visitor.open(`/read/${id}`).expect(200);
  const found = parseDocument(page.text).body.querySelectorAll('#article-text mark.highlight');
  return [...found].map((mark) => {
    const block = mark.closest('p, pre, td, li');
    return `${block?.getAttribute('id') ?? ''}: ${mark.textContent}`;
  });
}

/** Returns the number of characters before a paragraph, without white space. */
async function textBefore(paragraph: string): Promise<number> {
  const page = await visitor.open(`/read/${id}`).expect(200);
  const text = parseDocument(page.text).body.querySelector('#article-text');
  const whole = text?.textContent ?? '';
  const own = text?.querySelector(`#${paragraph}`)?.textContent ?? '';
  const before = whole.slice(0, whole.lastIndexOf(own));
  return before.replaceAll(/\s/g, '').length;
}

describe('a highlight', () => {
  it.each([
    ['Cyrillic', 'Свет есть обещание. '],
    ['Chinese', '光就是承诺。'],
    ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈 '],
  ])('can have 20,000 characters in any script: %s', async (_, words) => {
    const quote = words.repeat(Math.floor(19_900 / words.length)).trim();
    await article(`<p>${quote}</p>`);

    expect(await added({ quote, before: quote.slice(0, 64) })).not.toContain('no highlight');
    expect((await marks()).length).toBe(1);
  });

  it('is marked at its place after text with angle brackets', async () => {
    await article(
      '<pre>while a &gt; b: stop now</pre><pre>while a &lt; b: stop now</pre><pre>if a &lt; c: stop now</pre>',
    );

    await added({ quote: 'stop now', before: 'while a < b: ' });

    expect(await marks()).toEqual(['p-2: stop now']);
  });

  it('is marked at its place if the text before it is the same in several places', async () => {
    const verse = 'The night is long and dark and cold and windy, and the lamp burns on.';
    await article(`<p>${verse}</p><p>${verse}</p>`);

    const offset = String((await textBefore('p-2')) + 40);
    await added({ quote: 'the lamp burns on', before: verse.slice(0, 50), offset });

    expect(await marks()).toEqual(['p-2: the lamp burns on']);
  });

  it('is added once if the browser sends its form twice at the same time', async () => {
    await article('<p>A light is a promise.</p>');

    const ids = await Promise.all(
      [1, 2, 3, 4].map(() => added({ quote: 'A light', before: '', color: 'pink' })),
    );

    expect(new Set(ids).size).toBe(1);
    expect((await api.item(id))?.annotations).toHaveLength(1);
  });

  it.each([
    ['right to left', 'האור הוא הבטחה', 'הוא'],
    ['marks of direction', 'a \u200Fהאור\u200E light', '\u200Fהאור\u200E'],
    ['combining marks', 'Cafe\u0301 lumie\u0300re', 'fe\u0301 lum'],
    ['families', 'see 👩‍👩‍👧‍👦 here', '👩‍👩‍👧‍👦'],
    ['no-break and soft hyphen', 'har\u00ADbour\u00A0light', 'harbour light'],
    ['line separators', 'one\u2028two', 'one two'],
  ])('is found: %s', async (_, text, quote) => {
    await article(`<p>${text}</p>`);
    expect(await added({ quote, before: '' })).not.toContain('no highlight');
    expect(await marks()).toHaveLength(1);
  });

  it('covers tables, lists and code', async () => {
    await article(
      '<p>One start.</p><table><thead><tr><th>h1</th><th>h2</th></tr></thead><tbody><tr><td>c1</td><td>c2</td></tr></tbody></table><ul><li>l1</li><li>l2</li></ul><pre>code\n  more</pre><p>The end.</p>',
    );
    expect(
      await added({
        quote: 'start.\nh1\th2\nc1\tc2\nl1\nl2\ncode\n  more\nThe end',
        before: 'One ',
      }),
    ).not.toContain('no highlight');

    expect((await marks()).map((mark) => mark.replace(/^[^:]*: /, ''))).toEqual([
      ...['start.', 'h1', 'h2', 'c1', 'c2', 'l1', 'l2', 'code\n  more', 'The end'],
    ]);
  });
});
