import { readFileSync } from 'node:fs';

import { extractPage } from './extract-page.js';
import type { PageContent } from './page-content.js';

const extracted = (name: string): PageContent =>
  extractPage({
    html: readFileSync(`test/fixtures/page-kinds/${name}.html`, 'utf8'),
    url: `https://www.courier.example/${name}`,
  });

it.each([
  ['forum', ['which kind do you use', 'a piece of an old fire hose', 'across the street']],
  [
    'documentation',
    ['may be given more than once', 'tide --week', 'See also', 'cross the bar', 'number sign'],
  ],
  ['listing', ['Albatross', 'Brigantine Eleonora', 'Lugger Reaper']],
  ['product', ['thirty hours', '31 cm', 'Lamp oil', 'within ten years']],
  ['news-with-teasers', ['six in the morning', 'first on it', 'decide about it in autumn']],
  ['chinese-blog', ['春\n春天来的时候', '夏\n夏天', '秋冬\n', '等着下一个春天']],
  ['footer-display', ['second floor', 'ring twice', 'with pleasure']],
  ['soft-hyphens', ['Die Hafenmeisterei am Nordpier', 'Gezeitenkalender', 'stillstehen']],
  ['figure-with-table', ['ring twice', 'January', 'thirty-eight', 'with pleasure']],
  ['formulas', ['\\(h = 0.78 d\\), where the depth', 'with pleasure']],
  ['spanish-news', ['Por eso decidimos', 'once meses', 'panecillos para los guardas']],
  ['polish-news', ['jedenastu miesiącach', 'strażnikom bułki']],
  ['release-notes', ['4.2.11 of the sluice', 'wake the keeper']],
  ['fades-in', ['once a minute', 'as thick as a wrist', 'a night of sleep']],
])('reads all of the text of %s', (name, parts) => {
  const { text } = extracted(name);

  parts.forEach((part) => {
    expect(text).toContain(part);
  });
});

it.each([
  ['documentation', /^[12 ]+$/mu],
  ['product', /Seen from the side|Share|North Pier/u],
  ['news-with-teasers', /HNA|Photo|Ada Nordin|Gulls|stories/u],
  ['soft-hyphens', /\u00ad/u],
  ['formulas', /0\.78d/u],
  ['spanish-news', /Te puede interesar|Comparte|Lucía|12\/03/u],
  ['polish-news', /Czytaj także|Udostępnij|Zofia|czerwca/u],
  ['fades-in', /privacy|Courier/u],
])('leaves out what only stands around the text of %s', (name, parts) => {
  expect(extracted(name).text).not.toMatch(parts);
});

describe('a recipe that is read', () => {
  const { articleHtml } = extracted('recipe');

  it.each([
    ...['pot.jpg', 'Ada Nordin on Pictures', 'Recommended equipment', 'A ladle', 'Haddock'],
    ...['Potatoes', 'Print', 'Close the lid', 'bread.pdf', 'taste before', '* * *', 'CC BY-SA'],
    ...['References', 'Soups of the North'],
  ])('has %s', (part) => {
    expect(articleHtml).toContain(part);
  });

  it.each(['By Ada', '3 May', 'Related articles', 'Tea for forty', 'fell apart.'])(
    'lacks %s',
    (part) => {
      expect(articleHtml).not.toContain(part);
    },
  );
});

it.each([
  ['spanish-news', '2026-03-12', 'Lucía Marín'],
  ['polish-news', '2024-06-30', 'Zofia Wrona'],
  ['release-notes', '2024-06-30', undefined],
])('knows when %s was written, and by whom', (name, day, author) => {
  const { datePublished, authors } = extracted(name);

  expect([datePublished?.toISOString().slice(0, 10), authors[0]?.name]).toEqual([day, author]);
});

it('says a refrain as often as the page does', () => {
  expect(extracted('refrain').text.match(/^Haul away/gmu)).toHaveLength(2);
});

it('has no text of a page that is made by a script, but what its head says', () => {
  expect(extracted('nearly-empty')).toMatchObject({
    text: '',
    title: 'Harbour tables',
    excerpt: expect.stringMatching(/^When the water is high/u),
  });
});

it('knows the author by the address of his page', () => {
  expect(extracted('news-with-teasers').authors).toEqual([
    { name: 'Ada Nordin', url: 'https://www.courier.example/authors/ada-nordin' },
  ]);
});

it('keeps the pictures of a grid whose class sounds like numbers of lines', () => {
  const prose = `<p>${'The keepers mend their nets, early in the morning. '.repeat(20)}</p>`;
  const { articleHtml } = extractPage({
    html: `<title>Nets</title><article><h1>Nets</h1>${prose}<div class="grid has-gutter"> <img src="/net.jpg"> </div>${prose}</article>`,
    url: 'https://www.courier.example/nets',
  });
  expect(articleHtml).toContain('https://www.courier.example/net.jpg');
});
