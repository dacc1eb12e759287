import { extractPage } from '../extract-page.js';

const PROSE = `<p>${'The keepers mend their nets, early in the morning. '.repeat(8)}</p>`;
const URL = 'https://www.courier.example/notes';

const shown = (inner: string, after = ''): string =>
  extractPage({
    html: `<title>Notes</title><article><h1>Notes</h1>${PROSE}${inner}${PROSE}</article>${after}`,
    url: URL,
  }).articleHtml;

/** Returns the text of the note to which the link with a number leads. */
function noteOf(html: string, number: number): string {
  const link = new RegExp(
    `<sup>(?:<sup>)?<a href="#([^"]+)"[^>]*role="doc-noteref"[^>]*>\\[?${number}\\]?</a>`,
    'u',
  );
  const [, id = 'none'] = link.exec(html) ?? [];
  const [, note = ''] = new RegExp(`id="${id}"[^>]*>(.*?)</(?:li|p|div)>`, 'u').exec(html) ?? [];
  return note.replaceAll(/<[^>]+>/gu, '').trim();
}

const TEXT = '<p>The harbour froze<sup>1</sup> and the mill burned<sup>[2]</sup>.</p>';

it.each([
  [
    'a list outside of the article',
    '<div class="page"><div class="Post__footnotes"><h4>Footnotes</h4><ol><li>In a hard winter.</li><li id="two">By a lamp.</li></ol></div></div>',
  ],
  [
    'paragraphs outside of the article',
    '<section role="doc-endnotes"><p>1. In a hard winter.</p><p><sup>2</sup> By a lamp.</p></section>',
  ],
  [
    'a footer',
    '<div class="footnotes-footer"><div class="title">Footnotes</div><div class="footnote-footer" id="a">1. In a hard winter.</div><div class="footnote-footer" id="b">2. By a lamp.</div></div>',
  ],
])('links numbers to the notes in %s', (_, box) => {
  const html = shown(TEXT, box);

  expect(noteOf(html, 1)).toContain('In a hard winter.');
  expect(noteOf(html, 2)).toContain('By a lamp.');
});

it('links numbers to the notes in lists beside the text, which continue one another', () => {
  const html = shown(
    `<div>${TEXT}<aside><ol><li>In a hard winter.</li></ol></aside></div>${PROSE}<aside><ol start="2"><li>By a lamp.</li></ol></aside>`,
  );

  expect(noteOf(html, 1)).toBe('In a hard winter.');
  expect(noteOf(html, 2)).toBe('By a lamp.');
});

it('replaces a link for a script with a link to the note', () => {
  const html = shown(
    '<p>Late<sup class="footnoteref"><a href="javascript:;">1</a></sup>.</p>',
    '<div class="footnotes"><div id="footnote-1"><a href="javascript:;">1</a>. By a flood.</div></div>',
  );

  expect(noteOf(html, 1)).toContain('By a flood.');
});

it('keeps linked notes that are outside of the article', () => {
  const html = shown(
    '<p>Late<sup><a href="#n">1</a></sup>.</p>',
    '<div><div class="footnotes"><p id="n">1. By a flood.</p></div></div>',
  );

  expect(noteOf(html, 1)).toContain('By a flood.');
});

it.each([
  [
    'an exponent',
    '<p>The bay has 9 km<sup>2</sup> and 10<sup>2</sup> boats. Late<sup>1</sup>.</p>',
  ],
  ['a number that is too high', '<p>The theorem<sup>2</sup>. Late<sup>1</sup>.</p>'],
])('does not take %s for a note', (_, text) => {
  const html = shown(
    text,
    '<div class="footnotes"><ol><li>By a flood.</li><li>By a lamp.</li></ol></div>',
  );

  expect(noteOf(html, 1)).toBe('By a flood.');
  expect(html.match(/doc-noteref/gu)).toHaveLength(1);
});

it('gives each text its own notes', () => {
  const post = (name: string): string =>
    `<div><h2>${name}</h2>${PROSE}<p>Late<sup>1</sup>.</p></div><div class="footnotes"><p>1. By ${name}.</p></div>`;
  const html = shown(post('flood') + post('storm'));

  expect(html.match(/doc-noteref/gu)).toHaveLength(2);
  expect(html.indexOf('1. By flood.')).toBeLessThan(html.indexOf('<h2 id="part-storm">'));
});
