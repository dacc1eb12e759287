import { parseDocument } from '../dom.js';
import { articleLines } from './article-lines.js';

const LINE = (number: number): string =>
  `Line ${number} is a sentence of the article that is long enough to be one, has a comma, and goes on until it is a paragraph of its own.`;
const TEXT = [1, 2, 3, 4].map((number) => `<p>${LINE(number)}</p>`).join('');
const LINKS = ['Gulls', 'Terns'].map(
  (name) => `<li><a href="/${name}">${name} of the sea</a></li>`,
);
const KNOWN = { title: 'Netmender', authors: ['Ada Nordin'], day: '2024-05-03' };
const IMG = '<img src="https://example.com/a.jpg">';

/** Returns the lines that the article loses. */
function goneOf(html: string): string[] {
  const { body } = parseDocument(`<html><body>${html}</body></html>`);
  const { around, labels } = articleLines(body, KNOWN).gone();
  return [...around, ...labels].map(({ text }) => text);
}

describe('no line is lost', () => {
  it.each([
    [
      'terms that link to their own page',
      '<dl><dt><a href="/from">from()</a></dt><dd>Makes.</dd></dl>',
    ],
    ['references', `<h2>References</h2><ol>${LINKS.join('')}</ol>`],
    ['what one sees also', `<h2>See also</h2><ul>${LINKS.join('')}</ul><h2>Bugs</h2><p>None.</p>`],
    ['a loose list', `<ul><li><p><a href="/b">The net mender of the pier</a></p></li></ul>`],
    ['an address', '<p>The code:</p><p><a href="https://b.example/n">https://b.example/n</a></p>'],
    ['a file', '<p><a href="/report.pdf">Download the full report (PDF)</a></p>'],
    [
      'a caption that links',
      `<figure>${IMG}<figcaption><a href="/u">Ada on a site</a></figcaption></figure>`,
    ],
    ['the credit in a figure', `<figure>${IMG}<div>Photo: Ada</div></figure>`],
    ['a caption by its class', `<div>${IMG}<p class="wp-caption-text">A gull.</p></div>`],
    ['a licence', '<p>Photo: Ada Nordin, CC BY-SA</p>'],
    ['a source', '<p>Source: Harbour Office</p>'],
    ['a copy', `<section><p>${LINE(2)}</p></section>`],
    ['parts between scenes', '<p>* * *</p><p>∎</p>'],
    ['steps', '<ol><li>File</li><li>Print</li><li>Next</li><li>Choose the printer.</li></ol>'],
    ['a summary', '<details><summary>Menu</summary><p>Soup.</p></details>'],
    ['a note', '<aside class="note"><p>Wear gloves.</p></aside>'],
    ['a warning by its role', '<aside role="note"><p>Wear gloves.</p></aside>'],
    ['who is quoted', '<blockquote>The sea is calm.<footer>— Matthew Arnold</footer></blockquote>'],
    [
      'a section named by its heading',
      '<section id="setting-cookies"><h2>Setting cookies here</h2><p>Do.</p></section>',
    ],
    [
      'a section of several paragraphs',
      `<h2>About the author</h2><p>${LINE(5)}</p><p>${LINE(6)}</p>`,
    ],
    ['answers of an interface', '<h2>Responses</h2><pre>{}</pre><h2>Errors</h2><p>404</p>'],
    ['a chapter on comments', '<h2>Kommentare</h2><p>Mit #.</p><h2>Zeichen</h2><p>In "".</p>'],
    ['equipment', `<h2>Recommended equipment</h2><ul><li>A knife</li></ul><h2>Steps</h2>`],
    ['what editors pick', `<h2>Editor's picks</h2><h3>A net</h3><p>Strong and light.</p>`],
    ['a verse', '<p>Follow me down to the harbour</p><p>Close<br>Share<br>the sea</p>'],
    ['a sentence on affiliates', '<p>Affiliate links are the oldest way to earn.</p>'],
    ['names and values', '<p>Label: Blue Note</p><p>Category: Dessert</p><p>Fuente: Puerto</p>'],
    ['a credit in Polish', '<p>Fot. Jan Kowalski</p>'],
    ['a footnote by its role', '<aside role="doc-footnote"><p>Smith, p. 12</p></aside>'],
    ['a chapter on comments in cells', '<h2>Add a comment to a cell</h2><p>Press F2.</p>'],
    ['answers to critics', `<h2>12 replies to my critics</h2><p>${LINE(5)}</p><p>${LINE(6)}</p>`],
    ['a file that is called', '<p><a href="/d.csv">Click here to download the data</a></p>'],
    ['an announcement in a list', '<ul><li>Related articles</li><li>Knots</li></ul>'],
  ])('%s', (_name, html) => {
    expect(goneOf(TEXT + html)).toEqual([]);
  });

  it.each([
    ['a sentence like a byline', '<p>Von Montag bis Freitag ist der Hafen geöffnet.</p>'],
    ['a heading like a byline', '<h3>By Car</h3>'],
    ['who speaks', '<p>Ada Nordin: tell me of the nets</p><p>Jon: Early</p>'],
    ['an event', '<p>Saturday, 4 May 2030, 19:00, Town Hall</p>'],
    ['an event on the day of the page', '<p>3 May 2024, 8 pm, in the hall of St. Mary</p>'],
    ['a span', '<p>3 May 2024 – 9 June 2024</p>'],
    ['a chronicle without sentences', '<p>1 May 1902 – the tower is built</p>'],
    ['who wrote a book', '<p>Author: Herman Melville</p><p>Published 1851 by Harper</p>'],
    ['a first line that the page is named by', '<p>Netmender</p>'],
    ['a log', '<pre>2024-05-03 10:00:01 started nets</pre>'],
    ['a chronicle', '<p>1 May 1902: the tower is built.</p><dl><dt>1 May 1902</dt></dl>'],
    [
      'a cell like the title',
      '<table><tbody><tr><td>Netmender</td><td>1</td></tr></tbody></table>',
    ],
    ['who asks in Chinese', '<p>記者：你在這個港口住了多少年了？</p>'],
  ])('at the beginning: %s', (_name, html) => {
    expect(goneOf(html + TEXT)).toEqual([]);
  });
});

it('keeps a list before the headline', () => {
  const list = `<ul>${`<li>${'A part of a net. '.repeat(6)}</li>`.repeat(6)}</ul>`;

  expect(goneOf(`${list}<h1>Netmender</h1>${TEXT}${TEXT}`)).toEqual(['Netmender']);
});

it('takes out the day and the author of the page once', () => {
  const opening = '<p>3 May 2024</p><p>By Ada Nordin</p><p>4 May 2024</p><p>3 May 2024</p>';

  expect(goneOf(`${opening}<p>${LINE(1)}</p>`)).toEqual(['By Ada Nordin', '3 May 2024']);
});

describe('what is announced behind the article', () => {
  const related = `<h2>Related articles</h2><ul>${LINKS.join('')}</ul>`;
  const RELATED = ['Related articles', 'Gulls of the sea', 'Terns of the sea'];

  it.each([
    ['the heading of another section', '<h2>Ingredients</h2><ol><li>Eggs</li></ol>'],
    ['a paragraph', `<p>${LINE(5)}</p><p>The last word.</p>`],
    ['a quotation', '<blockquote>The sea is calm.</blockquote>'],
  ])('goes up to %s', (_name, next) => {
    expect(goneOf(TEXT + related + next)).toEqual(RELATED);
  });

  it('goes with headings that lead away, and those below its own', () => {
    const more = '<h2><a href="/k">Knots</a></h2><h3>Also</h3><p><a href="/b">Buoys</a></p>';

    expect(goneOf(TEXT + related + more)).toHaveLength(6);
  });

  it('stays before most of the text', () => {
    expect(goneOf(related + TEXT)).toEqual([]);
  });

  it('goes where weak words announce nothing but links', () => {
    expect(goneOf(`${TEXT}<h2>Recommended</h2><ul>${LINKS.join('')}</ul>`)).toHaveLength(3);
    expect(goneOf(`${TEXT}<h2>Recommended</h2><ul>${LINKS.join('')}<li>A knife</li></ul>`)).toEqual(
      [],
    );
  });

  it('goes with a paragraph on the author', () => {
    const about = (paragraphs: string): string[] =>
      goneOf(`${TEXT}<h2>About the author</h2>${paragraphs}<h2>Sources</h2>`);

    expect(about(`<p>${LINE(5)}</p>`)).toHaveLength(2);
    expect(about('<p>Ada mends nets.</p><ol><li>Smith, Gulls, p. 12</li></ol>')).toHaveLength(2);
    expect(about(`<p>${LINE(5)}</p><p>${LINE(6)}</p>`)).toEqual([]);
  });

  it('goes to the next section where comments are counted', () => {
    const comments = `<h2>2 comments</h2><h3>Jon</h3><p>${LINE(5)}</p><p>${LINE(6)}</p>`;

    expect(goneOf(`${TEXT}${comments}<h2>Sources</h2>`)).toHaveLength(4);
  });
});
