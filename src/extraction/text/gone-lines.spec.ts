import { parseDocument } from '../dom.js';
import { articleLines } from './article-lines.js';

const LINE = (number: number): string =>
  `Line ${number} is a sentence of the article that is long enough to be one, has a comma, and goes on until it is a paragraph of its own.`;
const TEXT = [1, 2, 3, 4].map((number) => `<p>${LINE(number)}</p>`).join('');
const LINKS = ['Gulls', 'Terns'].map(
  (name) => `<li><a href="/${name}">${name} of the sea</a></li>`,
);
const IMG = '<img src="https://example.com/a.jpg">';

/** The lines that an article loses. */
function goneOf(html: string): string[] {
  const { body } = parseDocument(`<html><body>${html}</body></html>`);
  const { around, labels } = articleLines(body, { title: 'Netmender', authors: ['Ada Nordin'] });
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
  ])('%s', (_name, html) => {
    expect(goneOf(TEXT + html)).toEqual([]);
  });

  it.each([
    ['a sentence like a byline', '<p>Von Montag bis Freitag ist der Hafen geöffnet.</p>'],
    ['a heading like a byline', '<h3>By Car</h3>'],
    ['who speaks', '<p>Ada Nordin: When did you begin?</p><p>Jon: Early.</p>'],
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
  const list = `<ul>${`<li>${'A part of a net. '.repeat(6)}</li>`.repeat(8)}</ul>`;

  expect(goneOf(`${list}<h1>Netmender</h1>${TEXT}`)).toEqual(['Netmender']);
});

describe('what is announced behind the article', () => {
  it('goes up to the heading of another section', () => {
    const related = `<h2>Related articles</h2><p>About terns.</p><h3>More terns</h3>`;

    expect(goneOf(`${TEXT}${related}<h2>Ingredients</h2><ol><li>Eggs</li></ol>`)).toEqual([
      'Related articles',
      'About terns.',
      'More terns',
    ]);
  });

  it('goes where weak words announce nothing but links', () => {
    expect(goneOf(`${TEXT}<h2>Recommended</h2><ul>${LINKS.join('')}</ul>`)).toHaveLength(3);
    expect(goneOf(`${TEXT}<h2>Recommended</h2><ul><li>A sharp knife</li></ul>`)).toEqual([]);
  });

  it('goes to the end of the page where it is comments', () => {
    expect(goneOf(`${TEXT}<h2>2 comments</h2><h3>Jon</h3><p>${LINE(5)}</p>`)).toHaveLength(3);
  });
});
