import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const SENTENCE =
  'This is a paragraph of an ordinary article, with some words, a comma or two, and a full stop at its end.';
const PROSE = `<p>${SENTENCE}</p>`;
const LINK = '<a href="/somewhere">some words of a link</a> ';
const page = (body: string): string =>
  `<html><head><title>A hostile page</title></head><body>${body}</body></html>`;

const MOST_MEGABYTES = 512;
/**
 * Relative to an ordinary page of 3,000 paragraphs in the same process, which takes 0.5 s on an idle machine. The most
 * expensive page takes 2.5 times as long.
 */
const MOST_TIMES = 4;

interface Measured {
  readonly title: string;
  readonly text: string;
  readonly seconds: number;
  readonly ratio: number;
  readonly megabytes: number;
}

/** Extracts a page in a separate process, whose heap is limited to `MOST_MEGABYTES`. */
async function extractedAlone(html: string): Promise<Measured> {
  const words = [`--max-old-space-size=${MOST_MEGABYTES}`, 'test/support/extract-alone.mjs'];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  child.stdin.end(html);
  const said = await text(child.stdout);
  await ended;
  return JSON.parse(said) as Measured;
}

const HOSTILE: Readonly<Record<string, () => string>> = {
  '16 authors of 5,000 blanks': () =>
    `<meta name="author" content="Ada${' '.repeat(5_000)}Nordin">`.repeat(16) +
    page(PROSE.repeat(9)),
  '11,700 paragraphs 120 deep': () => page('<div>'.repeat(120) + PROSE.repeat(11_700)),
  '2,000,000 brackets': () => page(PROSE.repeat(9) + '<'.repeat(2_000_000)),
  '1,500,000 entities': () => page(PROSE.repeat(9) + '&amp;'.repeat(1_500_000)),
  'a paragraph of 10 MB': () => page(`<p>${`${SENTENCE} `.repeat(100_000)}</p>`),
  '110 quotes around 4.5 MB of links': () =>
    page(
      PROSE.repeat(9) +
        '<blockquote>'.repeat(110) +
        `<a href="/somewhere">${'some words of a link '.repeat(7)}</a> `.repeat(26_000),
    ),
  'a paragraph of 5 MB 120 deep': () =>
    page(`${'<div>'.repeat(120)}<p>${`${SENTENCE} `.repeat(50_000)}</p>`),
  '11,900 links': () => page(PROSE + LINK.repeat(11_900)),
  '5,000 links': () => page(PROSE + LINK.repeat(5_000)),
  '11,900 paragraphs of one link': () => page(PROSE + `<p>${LINK}</p>`.repeat(11_900)),
  '5,900 paragraphs of one link': () => page(PROSE + `<p>${LINK}</p>`.repeat(5_900)),
  '11,900 frames': () =>
    page(PROSE + '<iframe src="https://www.youtube.com/embed/x"></iframe>'.repeat(11_900)),
  '11,900 pictures': () => page(PROSE + '<img src="/gull.jpg">'.repeat(11_900)),
  '11,900 paragraphs': () => page(PROSE.repeat(11_900)),
  'eight srcsets of 8,000 letters': () =>
    page(PROSE.repeat(9) + `<img src="/gull.jpg" srcset="${'a'.repeat(8_000)} x">`.repeat(8)),
  '600 sources of pictures': () =>
    page(
      `${PROSE.repeat(70)}<picture><source srcset="/a.webp"><source srcset="/a.avif"><img src="/a.jpg"></picture>`.repeat(
        300,
      ),
    ),
  'a description of 990,000 brackets': () =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', description: '<'.repeat(990_000) })}</script>${page(PROSE.repeat(9))}`,
  '240,000 types': () =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': Array<string>(240_000).fill('a') })}</script>${page(PROSE.repeat(9) + '<iframe src="https://www.youtube.com/embed/abcDEF12345"></iframe>'.repeat(50))}`,
  'a figure of 950 pictures': () =>
    page(
      `${PROSE.repeat(9)}<figure>${Array.from({ length: 950 }, (_, at) => `<img src="/gull-${at}.jpg">`).join('')}${'<b>x</b>'.repeat(10_000)}<figcaption>Gulls</figcaption></figure>`,
    ),
  '30,000 authors': () =>
    `<script type="application/ld+json">${JSON.stringify({
      '@type': 'Article',
      author: Array.from({ length: 30_000 }, (_, at) => `Ada Nordin the ${at}`),
      mentions: Array.from({ length: 1_900 }, (_, at) => ({ publisher: `Press ${at}` })),
    })}</script>${page(PROSE.repeat(9))}`,
  '11,900 boxes': () => page(PROSE + '<div>some words of a box</div>'.repeat(11_900)),
};

it.each(Object.entries(HOSTILE))('a page of %s gets its title and text', async (_name, html) => {
  const { title, text: said, ratio, megabytes } = await extractedAlone(html());

  expect(title).toBe('A hostile page');
  expect(said.includes('This is a paragraph')).toBe(true);
  expect(megabytes).toBeLessThan(MOST_MEGABYTES);
  expect(ratio).toBeLessThan(MOST_TIMES);
});

it('a page that consists of links gets their text', async () => {
  const { title, text: said } = await extractedAlone(page(LINK.repeat(11_900)));

  expect(title).toBe('A hostile page');
  expect(said.includes('some words of a link')).toBe(true);
});
