import { extractPage } from '../extract-page.js';

const PROSE = `<p>${'The keepers mend their nets, early in the morning. '.repeat(8)}</p>`;

const shown = (text: string, after = ''): string =>
  extractPage({
    html: `<title>Notes</title><article><h1>Notes</h1>${PROSE}${text}${PROSE}</article>${after}`,
    url: 'https://www.courier.example/notes',
  }).articleHtml;

/** Returns the texts of the notes to which the numbers link, in the order of the text. */
const notesOf = (html: string): string[] =>
  [...html.matchAll(/<a href="#([^"]+)"[^>]*role="doc-noteref"/gu)].map(([, id = '']) => {
    const [, note = ''] =
      new RegExp(`id="${id}"[^>]*>(.*?)</(?:li|p|div|tr|dd)>`, 'u').exec(html) ?? [];
    return note
      .replaceAll(/<[^>]+>/gu, ' ')
      .replaceAll(/\s+/gu, ' ')
      .trim();
  });

const TEXT = '<p>Late<sup>1</sup> and gone<sup>2</sup>.</p>';
const inBox = (notes: string): string => `<div class="footnotes">${notes}</div>`;

it.each([
  ['a reversed list', '<ol reversed><li>By a lamp.</li><li>By a flood.</li></ol>'],
  ['a list with values', '<ol><li value="2">By a lamp.</li><li value="1">By a flood.</li></ol>'],
  ['a list with an unknown start', '<ol start="x"><li>By a flood.</li><li>By a lamp.</li></ol>'],
  ['definitions', '<dl><dt>1</dt><dd>By a flood.</dd><dt>2</dt><dd>By a lamp.</dd></dl>'],
  [
    'boxes of a number and a text',
    '<div><div>1</div><div>By a flood.</div></div><div><div>2</div><div>By a lamp.</div></div>',
  ],
])('finds the notes in %s', (_, notes) => {
  expect(notesOf(shown(TEXT, inBox(notes)))).toEqual(['By a flood.', 'By a lamp.']);
});

it('finds the notes in rows', () => {
  const rows =
    '<table><tr><td>1</td><td>By a flood.</td></tr><tr><td>2</td><td>By a lamp.</td></tr></table>';

  expect(notesOf(shown(TEXT, inBox(rows)))).toEqual(['1 By a flood.', '2 By a lamp.']);
});

it.each([
  ['a decimal number', '<p>2.5 boats a day.</p>'],
  ['an ordinal', '<p>2nd boats count too.</p>'],
])('does not take %s for the number of a note', (_, paragraph) => {
  expect(notesOf(shown(TEXT, inBox(`<p>1. By a flood.</p>${paragraph}`)))).toEqual([
    '1. By a flood.',
  ]);
});

it('links to ids with a percent sign', () => {
  const html = shown(TEXT, inBox('<ol><li id="n%41">By a flood.</li><li>By a lamp.</li></ol>'));

  expect(notesOf(html)).toEqual(['By a flood.', 'By a lamp.']);
});

it('gives notes an id that the page does not have', () => {
  const html = shown(TEXT, inBox('<h4 id="note-1-1">Notes</h4><p>1. By a flood.</p>'));

  expect(notesOf(html)).toEqual(['1. By a flood.']);
});

it('links to the notes of a text, not to notes with the same ids', () => {
  const post = (name: string): string =>
    `<div><h2>${name}</h2>${PROSE}<p>Late<sup>1</sup>.</p></div>${inBox(`<p id="n1">1. By ${name}.</p>`)}`;

  expect(notesOf(shown(post('flood') + post('storm')))).toEqual(['1. By flood.', '1. By storm.']);
});

it('keeps notes that contain only links', () => {
  const note = (at: number): string =>
    `<li class="footnote-item"><div class="footnote-content"><p><a href="/${String(at)}">A long chronicle</a></p></div></li>`;
  const html = shown(`${TEXT}${PROSE}${inBox(`<ol>${note(1)}${note(2)}</ol>`)}`);

  expect(html.match(/A long chronicle/gu)).toHaveLength(2);
});

it.each([
  [
    'lists whose numbers start again',
    inBox('<ol><li>By a flood.</li></ol><ol><li>By a lamp.</li></ol>'),
  ],
  ['a list with other lines', '<aside><ol><li>Mend.</li><li>Row.</li><li>Sail.</li></ol></aside>'],
  [
    'a list of links',
    '<aside><ol><li><a href="/1">Tide</a></li><li><a href="/2">Ebb</a></li></ol></aside>',
  ],
])('links no numbers to %s', (_, box) => {
  expect(notesOf(shown(TEXT, box))).toEqual([]);
});

it('does not take an article with notes for a box of notes', () => {
  const html = shown(
    '<p>Late<sup>1</sup>.</p>',
    `<div class="has-footnotes"><h2>Next</h2>${PROSE}<ol><li>Mend.</li></ol></div>`,
  );

  expect(notesOf(html)).toEqual([]);
});
