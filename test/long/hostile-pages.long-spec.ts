import { type Extraction, ExtractionPool } from '../../src/lib/extraction/extraction-pool.js';
import { until } from '../support/processes.js';
import { processorSeconds } from '../support/processor-time.js';

const URL = 'https://courier.example/stories/one';
const PROSE =
  '<p>This is a paragraph of an ordinary article, with some words, a comma or two, and a full stop at its end.</p>';
const page = (body: string): string =>
  `<html><head><title>A hostile page</title></head><body>${body}</body></html>`;
const ordinary = { html: page(`<h1>A quiet page</h1>${PROSE.repeat(9)}`), url: URL };

/** Starting a thread takes seconds on a busy machine, which must not count as a slow page. */
const PATIENT_MS = 60_000;
/** Relative to an ordinary page. The most expensive page takes 2.1 times as long. */
const MOST_TIMES = 4;
/** Processor time of an ordinary page of 9,500 paragraphs in this process. A slow machine is slow for all pages. */
let ordinarySeconds: number;

beforeAll(async () => {
  const pool = new ExtractionPool({ threads: 1, pageMs: PATIENT_MS });
  const long = { html: page(PROSE.repeat(9_500)), url: URL };
  await pool.extract(long);
  ordinarySeconds = await processorSeconds(() => pool.extract(long));
  await pool.close();
});

const HOSTILE: Readonly<Record<string, () => string>> = {
  '10 MB in one paragraph': () => page(`<p>${'word '.repeat(2_000_000)}</p>`),
  '100,000 nested divs': () => page('<div>'.repeat(100_000) + PROSE.repeat(20)),
  '5,000 nested divs': () => page('<div>'.repeat(5_000) + PROSE.repeat(20)),
  'a million tags': () => page('<b>x</b>'.repeat(1_000_000)),
  '100,000 links': () => page('<a href="/somewhere">some words of a link</a> '.repeat(100_000)),
  '3,000 nested tables': () => page('<table><tr><td>'.repeat(3_000)),
  '60,000 tags that cross': () => page('<b><i><p>x</b></i>'.repeat(60_000)),
  '120,000 line breaks': () => page('x<br>'.repeat(120_000)),
  '2,000,000 opening brackets': () => '<'.repeat(2_000_000),
  '1,500,000 entities': () => page('&amp;'.repeat(1_500_000)),
  'comments without end': () => page('<!-- '.repeat(200_000) + PROSE),
  '50,000 attributes': () =>
    page(
      `<div ${Array.from({ length: 50_000 }, (_, at) => `a${at}="x"`).join(' ')}>${PROSE}</div>`,
    ),
  'a megabyte of title': () => `<title>${'T'.repeat(1_000_000)}</title>${PROSE.repeat(9)}`,
  NULs: () => page(`\0${PROSE}`.repeat(2_000)),
  'lone surrogates': () => page(`\ud800 \udc00${PROSE}`.repeat(2_000)),
  'JSON-LD 200,000 deep': () =>
    `<script type="application/ld+json">${'['.repeat(200_000)}</script>${page(PROSE.repeat(9))}`,
  '16 authors of 5,000 blanks': () =>
    `<title>Sixteen authors</title>${`<meta name="author" content="Ada${' '.repeat(5_000)}Nordin">`.repeat(16)}${PROSE.repeat(9)}`,
  '3 MB of white space': () => page(' \n\t'.repeat(1_000_000) + PROSE.repeat(9)),
  '6,000 hidden articles': () =>
    page('<div hidden>'.repeat(60) + `<article hidden>${PROSE}</article>`.repeat(6_000)),
  '400,000 tokens of a formula': () => page(`<math>${'<mi>x</mi>'.repeat(400_000)}</math>`),
  '600 formulas of 1,400 roots': () =>
    page(`<math>${'<msqrt>'.repeat(1_400)}<mi>x</mi></math>`.repeat(600)),
  '20,000 lines beside the text': () =>
    page(PROSE.repeat(900) + '<aside>'.repeat(100) + '<p>Share this</p>'.repeat(10_000)),
  '3,000,000 characters without spaces': () => page(`<p>${'漢字の文章。'.repeat(500_000)}</p>`),
};

/** Pages with an unusual title. */
const TITLES: Readonly<Record<string, RegExp>> = {
  '2,000,000 opening brackets': /^$/,
  'a megabyte of title': /^T{100}/,
  '16 authors of 5,000 blanks': /^Sixteen authors$/,
};

const titleOf = (name: string): RegExp => TITLES[name] ?? /^A hostile page$/;

describe('a pool of extraction threads', () => {
  let pool: ExtractionPool;

  beforeAll(async () => {
    pool = new ExtractionPool({ threads: 1, headMs: PATIENT_MS });
    await pool.extract(ordinary);
  });

  afterAll(() => pool.close());

  it.each(Object.entries(HOSTILE))('does not block the service with %s', async (name, html) => {
    const source = { html: html(), url: URL };
    const beat = heartbeat();
    let title = 'none';

    const seconds = await processorSeconds(async () => {
      ({ title } = (await pool.extract(source)).content);
    });

    expect(seconds / ordinarySeconds).toBeLessThan(MOST_TIMES);
    expect(beat.longestPause()).toBeLessThan(2_500);
    expect(title).toMatch(titleOf(name));
    await until(async () => (await pool.extract(ordinary)).content.title === 'A quiet page');
  });
});

it.each([
  ['a million tags', page(PROSE + '<b>x</b>'.repeat(1_000_000))],
  ['100,000 links', page(PROSE + '<a href="/somewhere">some words of a link</a> '.repeat(100_000))],
  ['120,000 line breaks', page(PROSE + 'x<br>'.repeat(120_000))],
  ['11,700 paragraphs 120 deep', page('<div>'.repeat(120) + PROSE.repeat(11_700))],
  ['authors in authors', page('<div class="author">'.repeat(120) + PROSE.repeat(11_700))],
  [
    '5 MB in one paragraph 120 deep',
    page('<div>'.repeat(120) + `${PROSE.slice(3, -4)} `.repeat(50_000)),
  ],
  [
    '28,000 links in 110 quotes',
    page(
      PROSE +
        '<blockquote>'.repeat(110) +
        `<a href="/somewhere">${'some words of a link '.repeat(7)}</a> `.repeat(28_000),
    ),
  ],
  [
    '2,000 pictures in one',
    page(PROSE + '<picture>' + '<img src="">'.repeat(2_000) + '<b>x</b>'.repeat(15_000)),
  ],
  ['headlines in headlines', page('<h1>'.repeat(120) + PROSE.repeat(11_700))],
])('the fallback keeps the text of a page of %s', async (_name, html) => {
  const pool = new ExtractionPool({ threads: 1, pageMs: PATIENT_MS });
  await pool.extract(ordinary);

  let extraction: Extraction | undefined;
  const seconds = await processorSeconds(async () => {
    extraction = await pool.extract({ html, url: URL });
  });

  expect(extraction?.trouble).toBeUndefined();
  expect(extraction?.content).toMatchObject({ title: 'A hostile page', usedFallback: true });
  expect(extraction?.content.text.includes('This is a paragraph')).toBe(true);
  expect(seconds / ordinarySeconds).toBeLessThan(MOST_TIMES);
  await pool.close();
});

const THREAD = 'https://news.ycombinator.com/item?id=1';
const STORY =
  '<table class="fatitem"><tr><td><span class="titleline"><a href="/x">A hostile page</a></span></td></tr></table>';
const comment = (at: number): string =>
  `<table><tr class="comtr"><td><img class="ind" width="${at % 400}"><a class="hnuser">u${at}</a><div class="commtext">${PROSE}</div></td></tr></table>`;
const reply = (at: number): string =>
  `<div class="thing comment"><div class="entry"><p class="tagline"><a class="author">u${at}</a></p><div class="usertext-body"><div class="md">${PROSE}</div></div></div><div class="child">`;

it.each([
  ['100,000 comments', THREAD, () => STORY + [...Array(100_000).keys()].map(comment).join('')],
  [
    '10,000 replies, each in the one before',
    'https://old.reddit.com/r/x/comments/1/',
    () =>
      `<div class="commentarea"><div class="thing link"><a class="title">A hostile page</a></div>${[...Array(10_000).keys()].map(reply).join('')}`,
  ],
  [
    'posts in posts around 5 MB',
    URL,
    () =>
      `${'<div class="message--post"><div class="message-body">'.repeat(60)}<div class="bbWrapper">${PROSE.repeat(50_000)}`,
  ],
  [
    'a wiki of 110 articles in each other',
    URL,
    () =>
      `<div id="mw-content-text">${'<div class="mw-parser-output navbox-not">'.repeat(110)}${PROSE.repeat(9_000)}`,
  ],
  [
    '5 MB of data in a script',
    'https://www.youtube.com/watch?v=1',
    () =>
      `<script>var ytInitialPlayerResponse = {"x":${'['.repeat(2_500_000)}"${'\\"'.repeat(1_200_000)}","shortDescription":"This is a paragraph of data."}</script>`,
  ],
])('a page that imitates a known site, with %s, is extracted', async (_name, url, markup) => {
  const pool = new ExtractionPool({ threads: 1, pageMs: PATIENT_MS });
  await pool.extract(ordinary);

  let extraction: Extraction | undefined;
  const seconds = await processorSeconds(async () => {
    extraction = await pool.extract({ html: page(markup()), url });
  });

  expect(extraction?.trouble).toBeUndefined();
  expect(extraction?.content.title).toBe('A hostile page');
  expect(extraction?.content.text.includes('This is a paragraph')).toBe(true);
  expect(seconds / ordinarySeconds).toBeLessThan(MOST_TIMES);
  await pool.close();
});

/** An ordinary page is far below its time limit, so the text of these pages is not lost on a busy machine. */
it.each([
  ['10 MB in one paragraph', page(`<p>${'word '.repeat(2_000_000)}</p>`), 5_999_000],
  ['2,000,000 brackets', `${PROSE}${'<'.repeat(2_000_000)}`, 100],
  ['1,500,000 entities', page(`${PROSE}${'&amp;'.repeat(1_500_000)}`), 5_990_000],
])('the text of a page of %s is extracted in time', async (_name, html, characters) => {
  const pool = new ExtractionPool({ threads: 1, pageMs: PATIENT_MS });
  await pool.extract(ordinary);

  let extraction: Extraction | undefined;
  const seconds = await processorSeconds(async () => {
    extraction = await pool.extract({ html, url: URL });
  });

  expect(extraction?.trouble).toBeUndefined();
  expect(extraction?.content.text.length).toBeGreaterThan(characters);
  expect(seconds / ordinarySeconds).toBeLessThan(MOST_TIMES);
  await pool.close();
});

/** Measures the longest pause of the event loop, which the service would feel. */
function heartbeat(): { longestPause: () => number } {
  const EVERY_MS = 20;
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - EVERY_MS);
    last = now;
  }, EVERY_MS);
  return {
    longestPause: () => {
      clearInterval(timer);
      return longest;
    },
  };
}
