import { extractPage } from '../extract-page.js';

const prose = (word: string): string =>
  `<p>${`The ${word} mend their nets, early in the morning. `.repeat(8)}</p>`;
const NOTE = '<p>1. By a flood.</p>';

/** Returns the text of the article that a body contains. */
const textOf = (body: string): string =>
  extractPage({ html: `<title>Notes</title>${body}`, url: 'https://www.courier.example/notes' })
    .text;

it.each([
  [
    'a paragraph of the text',
    `<article><h1>Notes</h1><div>${prose('keepers')}<p>Late<sup>1</sup>.</p></div><div>${prose('sailors')}</div><div class="footnotes">${NOTE}</div></article>`,
  ],
  [
    'a cell of a table',
    `<article><h1>Notes</h1>${prose('keepers')}<table><tr><td>Boats</td><td>Late<sup>1</sup></td></tr><tr><td>Nets</td><td>Early</td></tr></table>${prose('sailors')}<div class="footnotes">${NOTE}</div></article>`,
  ],
  [
    'a box beside the text',
    `<article><h1>Notes</h1><div class="callout"><p>Late<sup>1</sup>.</p></div>${prose('keepers')}${prose('sailors')}</article><div class="footnotes">${NOTE}</div>`,
  ],
])('does not move notes to the end of %s', (_, body) => {
  const text = textOf(body);

  expect(text).toContain('By a flood.');
  expect(text.indexOf('The sailors')).toBeLessThan(text.indexOf('By a flood.'));
});

it.each([
  [
    'a table that lays out the page',
    `<table><tr><td><h1>Notes</h1>${prose('keepers')}<p>Late<sup>1</sup>.</p>${prose('sailors')}</td></tr></table>`,
  ],
  [
    'an article below a menu with a number',
    `<nav>Saved<sup>1</sup></nav><article><h1>Notes</h1>${prose('keepers')}<p>Late<sup>1</sup>.</p>${prose('sailors')}</article>`,
  ],
])('moves notes to the end of %s', (_, text) => {
  expect(textOf(`${text}<div class="sidebar"><div class="footnotes">${NOTE}</div></div>`)).toMatch(
    /By a flood\.$/u,
  );
});
