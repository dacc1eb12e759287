import { extractPage } from '../extract-page.js';

const PROSE = `<p>${'The keepers mend their nets, early in the morning. '.repeat(8)}</p>`;
const NOTES =
  '<div class="footnotes"><ol><li>By a flood.</li><li>By a lamp.</li><li>By a storm.</li></ol></div>';

const shown = (text: string, box = NOTES): string =>
  extractPage({
    html: `<title>Notes</title><article><h1>Notes</h1>${PROSE}${text}${PROSE}${box}</article>`,
    url: 'https://www.courier.example/notes',
  }).articleHtml;

/** Returns the numbers that are links to notes, in the order of the text. */
const linked = (html: string): string[] =>
  [...html.matchAll(/<a href="#[^"]+"[^>]*role="doc-noteref"[^>]*>([^<]*)<\/a>/gu)].map(
    ([, number = '']) => number,
  );

it.each([
  ['an exponent of a variable in italics', 'Late<sup>1</sup>, and <i>x</i><sup>2</sup> boats.'],
  ['an exponent after brackets', 'Late<sup>1</sup>, (x + 1)<sup>2</sup>, gone<sup>2</sup>.', 2],
  ['an exponent of a function', 'Late<sup>1</sup>, and sin<sup>2</sup> of it.'],
  ['a fraction', 'Late<sup>1</sup>, about <sup>1</sup>/<sub>2</sub> of them.'],
  ['an isotope', 'Late<sup>1</sup>, the <sup>2</sup>H method.'],
  ['a formula', 'Late<sup>1</sup>, as CO<sup>2</sup> and H<sub>2</sub>O.'],
  ['a link to a source', 'Late<sup>1</sup>, gone<sup><a href="https://a.example/2">2</a></sup>.'],
  ['a part of a longer link', 'Late<sup>1</sup>, <a href="#">see the offer<sup>2</sup></a>.'],
])('does not take %s for a note', (_, text, count = 1) => {
  const html = shown(`<p>${text}</p>`);

  expect(linked(html)).toEqual(['1', '2'].slice(0, count));
  expect(html.match(/href="#part-/gu)).toHaveLength(count);
});

it.each([
  ['a year', 'In 1998<sup>1</sup> and gone<sup>2</sup>.'],
  ['a word of two letters', 'In the EU<sup>1</sup> and gone<sup>2</sup>.'],
  ['brackets', 'Late (or not)<sup>1</sup> and gone<sup>2</sup>.'],
  ['a Japanese word of two letters', '漁師は網を直す。東京<sup>1</sup>と京都<sup>2</sup>。'],
  ['Arabic words', '<span dir="rtl">الميناء<sup>1</sup> هو<sup>2</sup></span>'],
  ['a number of another note', 'Late<sup>1</sup><sup>2</sup>.'],
  ['a link for a script', 'Late<sup><a href="#">1</a></sup>, <a href="#"><sup>2</sup></a>.'],
])('links numbers after or in %s', (_, text) => {
  const html = shown(`<p>${text}</p>`);

  expect(html.match(/href="#part-/gu)).toHaveLength(2);
  expect(linked(html.replaceAll(/<\/?sup>/gu, ''))).toEqual(['1', '2']);
});

it('links a number after numbers that are written in another way', () => {
  expect(linked(shown('<p>Late<sup>1,2</sup> and gone<sup>3</sup>.</p>'))).toEqual(['3']);
});

it('does not link numbers whose notes are labels in the text', () => {
  const html = shown(
    '<p>Ada Nordin<sup>1</sup></p><p><sup>1</sup>University of Tides</p><p>Late<sup>1</sup>.</p>',
  );

  expect(html).toContain('Nordin<sup>1</sup>');
  expect(linked(html)).toEqual(['1']);
});

it('links the numbers of each article to its own notes', () => {
  const html = shown(
    '',
    `<article><h2>Tide</h2>${PROSE}<p>Early<sup>1</sup>.</p></article><article><h2>Ebb</h2>${PROSE}<p>Late<sup>1</sup>, gone<sup>2</sup>.</p>${NOTES}</article>`,
  );

  expect(html).toContain('Early<sup>1</sup>');
  expect(linked(html)).toEqual(['1', '2']);
});
