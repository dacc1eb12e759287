import { type Extraction, ExtractionPool } from '../../src/lib/extraction/extraction-pool.js';
import { processorSeconds } from '../support/processor-time.js';

const URL = 'https://courier.example/stories/one';
const PROSE = `<p>${'This is a paragraph of an ordinary article, with some words, a comma or two, and a full stop. '.repeat(4)}</p>`;
const page = (inner: string): string =>
  `<html><head><title>A hostile page</title></head><body><article><h1>A hostile page</h1>${PROSE.repeat(6)}${inner}</article></body></html>`;

/** Starting a thread takes seconds on a busy machine, which must not count as a slow page. */
const PATIENT_MS = 60_000;

/** Relative to an ordinary page of 9,500 paragraphs in the same process. The most expensive page takes 1.6 times as long. */
const MOST_TIMES = 4;

const many = (count: number, write: string | ((at: number) => string)): string =>
  typeof write === 'string'
    ? write.repeat(count)
    : Array.from({ length: count }, (_, at) => write(at)).join('');
const WORDS = 'x '.repeat(4_000);
const drawn = (markup: string): string =>
  `<span class="katex"><span class="katex-html">${markup}</span></span>`;

const HOSTILE: Readonly<Record<string, () => string>> = {
  '12,000 blocks of code in one element': () => `<div>${'<pre>ring()</pre>'.repeat(12_000)}</div>`,
  '9,500 blocks of code below long classes': () =>
    `<div class="${WORDS}">`.repeat(3) + '<pre><code>ring()</code></pre>'.repeat(9_500),
  '9,900 empty lines of code in one paragraph': () => `<p>${'<code><br></code>'.repeat(9_900)}</p>`,
  '19,000 notes in one paragraph': () =>
    `<p>${'<span class="sidenote"> two words</span>'.repeat(19_000)}</p>`,
  '6,000 numbers before 100 boxes of notes in each other': () =>
    `${many(6_000, (at) => `<p>word<sup>${String((at % 900) + 1)}</sup></p>`)}${'<div class="footnotes">'.repeat(100)}<ol>${'<li>a note</li>'.repeat(5_000)}</ol>${'</div>'.repeat(100)}`,
  '15,000 verses after 29,000 blanks': () =>
    `<p>${'&nbsp;'.repeat(29_000)}${'<span class="line">a verse</span>'.repeat(15_000)}</p>`,
  '3,000 links in 110 headings': () => '<h2>'.repeat(110) + '<a href="#x">y</a>'.repeat(3_000),
  '19,000 headings with the ids of others': () =>
    many(9_500, (at) => `<h2 id="a-${String(9_500 + at)}">x</h2>`) +
    '<h2 id="a">x</h2>'.repeat(9_500),
  '9,500 frames beside 9,500 links': () =>
    `<div><a href="https://x.example/p">x</a>${'<a href="/z">z</a>'.repeat(9_500)}</div>${'<iframe src="https://x.example/p"></iframe>'.repeat(9_500)}`,
  '5,000 hidden copies of 9,500 pictures': () =>
    `<div>${'<img src="/gull.jpg">'.repeat(9_500)}</div>${'<noscript><img src="/gull.jpg"></noscript>'.repeat(5_000)}`,
  '5,000 hidden pictures beside ten large srcsets': () =>
    `<figure>${many(10, (at) => `<img src="/gull-${String(at)}.jpg" srcset="${'/x 1w, '.repeat(1_000)}">`)}${many(5_000, (at) => `<noscript><img src="/tern-${String(at)}.jpg"></noscript>`)}</figure>`,
  '9,500 pictures in one picture': () =>
    `<picture>${'<b></b>'.repeat(9_500)}${'<img>'.repeat(9_500)}</picture>`,
  '20 formulas of 28,000 elements in each other': () =>
    drawn('<b>'.repeat(28_000) + 'x' + '</b>'.repeat(28_000)).repeat(20),
  '90 drawings of 19,000 groups in each other': () =>
    `<svg width="500" height="500"><path/><path/>${'<g>'.repeat(19_000)}</svg>`.repeat(90),
};

describe('the article of a page', () => {
  let pool: ExtractionPool;
  let ordinarySeconds: number;
  const ordinary = { html: page(PROSE.repeat(9_500)), url: URL };

  beforeAll(async () => {
    pool = new ExtractionPool({ threads: 1, pageMs: PATIENT_MS, headMs: PATIENT_MS });
    await pool.extract(ordinary);
    ordinarySeconds = await processorSeconds(() => pool.extract(ordinary));
  });

  afterAll(() => pool.close());

  it.each(Object.entries(HOSTILE))('is extracted in time from %s', async (_name, markup) => {
    let extraction: Extraction | undefined;
    const seconds = await processorSeconds(async () => {
      extraction = await pool.extract({ html: page(markup()), url: URL });
    });

    expect(extraction?.trouble).toBeUndefined();
    expect(extraction?.content.text).toContain('This is a paragraph');
    expect(seconds / ordinarySeconds).toBeLessThan(MOST_TIMES);
  });

  it('is empty if its script contains two million broken rows', async () => {
    const rows = JSON.stringify('{\n'.repeat(300_000));
    const script = `<script>self.__next_f.push([1,${rows}])</script>`;
    const html = `<title>A hostile page</title><div id="root"></div>${script.repeat(6)}`;

    const { content, trouble } = await pool.extract({ html, url: URL });

    expect(trouble).toBeUndefined();
    expect(content).toMatchObject({ title: 'A hostile page', text: '' });
  });
});
