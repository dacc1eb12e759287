import { parseDocument } from '../dom.js';
import { articleBody } from './article-body.js';
import { articleLines } from './article-lines.js';

const bodyOf = (html: string) => parseDocument(`<html><body>${html}</body></html>`).body;
const linesOf = (
  html: string,
  known = { title: 'Gulls', authors: ['Ada Nordin'], day: '' },
): string[] => articleLines(bodyOf(html), known).text.map(({ text }) => text);
const LINE = (number: number): string =>
  `Line ${number} is a sentence of the article that is long enough to be one, and has a comma.`;
const TEXT = [1, 2, 3, 4].map((number) => `<p>${LINE(number)}</p>`).join('');
const KEPT = [1, 2, 3, 4].map(LINE);

it.each([
  ['a caption', `<figure><img><figcaption>The pier</figcaption></figure>${TEXT}`],
  ['a labelled box', `${TEXT}<div class="newsletter-signup">Our best stories, each Friday</div>`],
  ['a link alone on its line', `${TEXT}<p><a href="/x">The gulls are back</a></p>`],
  ['a label', `<p>Advertisement</p>${TEXT}`],
  ['a copy elsewhere', `${TEXT}<div class="mobile"><p>${LINE(2)}</p></div>`],
  ['what a picture shows', `${TEXT}<p>(Image: the pier of the harbour in the evening)</p>`],
  ['the headline', `<h1>Gulls</h1>${TEXT}`],
  ['who wrote it, and when', `<p>Ada Nordin</p><p>9 March 2024</p>${TEXT}`],
  ['what stands before the headline', `<p>Weather: rain</p><h1>Gulls</h1>${TEXT}`],
  [
    'what follows the end',
    `${TEXT}<h3>Related articles</h3><p>Something else, which is long enough to be text.</p>`,
  ],
])('leaves out %s', (_name, html) => {
  expect(linesOf(html)).toEqual(KEPT);
});

it('keeps first lines that only begin like the name of the author, and the days of a changelog', () => {
  const html = `<h1>Gulls</h1><p>By Al</p><h2>2024-06-30</h2><p>Also, the gulls are back on the pier.</p><ul><li>2 May 1902: the tower is built.</li></ul>`;

  expect(linesOf(html, { title: 'Gulls', authors: ['Al'], day: '' })).toEqual([
    '2024-06-30',
    'Also, the gulls are back on the pier.',
    '2 May 1902: the tower is built.',
  ]);
});

it('keeps what is said twice beside each other, a table with its caption, words without soft hyphens', () => {
  const table = '<figure><table><tr><td>Herring gulls of the pier</td></tr></table></figure>';

  expect(
    linesOf(`${TEXT}<p>${LINE(4)}</p>${table}<p>A long\u00adshore\u00adman has seen them.</p>`),
  ).toEqual([...KEPT, LINE(4), 'Herring gulls of the pier', 'A longshoreman has seen them.']);
});

it('keeps code that is there twice, and a list of links that a sentence introduces', () => {
  const code = `<div><pre>${LINE(9)}</pre></div>`;
  const links = '<ul><li><a href="/x">Herring gulls</a></li><li><a href="/y">Terns</a></li></ul>';

  expect(
    linesOf(`${code}${TEXT}${code}<p>For more information, see:</p>${links}<p>${LINE(5)}</p>`),
  ).toEqual([
    ...[LINE(9), ...KEPT, LINE(9), 'For more information, see:'],
    ...['Herring gulls', 'Terns', LINE(5)],
  ]);
  expect(linesOf(`${TEXT}<p>More stories from the North Sea:</p>${links}`)).not.toContain('Terns');
});

it('takes a heading for the end of an article only where no prose follows', () => {
  const prose = `${LINE(5)} It goes on for a while, so that no user takes it for the title of something else.`;

  expect(linesOf(`${TEXT}<h2>More on gulls</h2><p>${prose}</p>`)).toEqual([
    ...KEPT,
    'More on gulls',
    prose,
  ]);
  expect(linesOf(`${TEXT}<h2>More on gulls</h2><p>Gulls are loud.</p>`)).toEqual(KEPT);
});

it('keeps prose before a second headline, and what stands in the table below a heading of such words', () => {
  const table =
    '<table><tr><th>Gull</th><th>Recommended food</th></tr><tr><td>Herring gull</td><td>herring, of course</td></tr></table>';
  const long = `${LINE(5)} It goes on for a while, so that no user takes it for the title of something else.`;

  expect(linesOf(`<p>${long}</p><h2>Gulls</h2>${TEXT}`)).toContain(long);
  expect(linesOf(`${TEXT}${table}`)).toEqual([
    ...KEPT,
    'Gull',
    'Recommended food',
    'Herring gull',
    'herring, of course',
  ]);
});

it.each([
  ['a list of other lines', '<ul><li><a href="/x">Herring</a></li><li>Sprat</li></ul>'],
  ['a table', '<table><tr><td><a href="/x">Herring</a></td><td>Sprat</td></tr></table>'],
])('keeps a link in %s, and drops lists of links', (_name, html) => {
  const links = '<ul><li><a href="/y">The gulls are back</a></li></ul>';

  expect(linesOf(`${TEXT}${html}${links}`)).toEqual([...KEPT, 'Herring', 'Sprat']);
});

it.each([
  [
    'cells',
    '<table><tr><td>Herring</td><td>✓</td></tr><tr><td>Sprat</td><td>✗</td></tr></table>',
    ['Herring', '✓', 'Sprat', '✗'],
  ],
  [
    'code',
    '<pre>[build-system] requires = ["knots"]</pre>',
    ['[build-system] requires = ["knots"]'],
  ],
  ['headings', '<h3>Print</h3>', ['Print']],
])('keeps in %s what is a label elsewhere', (_name, html, lines) => {
  expect(linesOf(html + TEXT)).toEqual([...lines, ...KEPT]);
});

it('keeps the links of a page that has little else', () => {
  const links = ['Albatross', 'Brigantine', 'Cutter'].map(
    (name) => `<li><a href="/${name}">${name}</a></li>`,
  );

  expect(linesOf(`<p>All ships.</p><ul>${links.join('')}</ul>`)).toEqual([
    'All ships.',
    'Albatross',
    'Brigantine',
    'Cutter',
  ]);
});

it('keeps the text of a page that labels all of it', () => {
  const sections = [1, 2, 3, 4].map((number) => `<div class="related">${LINE(number)}</div>`);

  expect(linesOf(sections.join(''))).toEqual(KEPT);
});

it('keeps a link within a sentence, a heading, and what is said of comments', () => {
  const html = `<h2><a href="/x">A heading</a></h2><p>Some <a href="/y">words</a> of a line.</p>${TEXT}`;

  expect(linesOf(html)).toEqual(['A heading', 'Some words of a line.', ...KEPT]);
});

it('takes the densest element where the article finder takes too little', () => {
  const section = (number: number): string =>
    `<section class="hidden-${number} comment-wrap extra footer"><p>${LINE(number).repeat(3)}</p></section>`;
  const html = `<html><body><nav>x</nav><div id="all">${[1, 2, 3, 4].map(section).join('')}</div></body></html>`;
  const document = parseDocument(html);

  const { element } = articleBody(
    { html, tags: 10, links: 2, embeds: 0, nesting: 40, textNesting: 400, isFlooded: false },
    document,
    { isArticle: false, isProduct: false },
    { title: '', authors: [], day: '' },
  );

  expect(element?.textContent).toContain(LINE(1));
  expect(element?.textContent).toContain(LINE(4));
});
