import { parseDocument } from '../dom.js';
import { articleLines } from './article-lines.js';
import { removeLines } from './remove-lines.js';

const LINE = (number: number): string =>
  `Line ${number} is a sentence of the article that is long enough to be one, and has a comma.`;
const TEXT = [1, 2, 3, 4].map((number) => `<p>${LINE(number)}</p>`).join('');
const IMG = '<img src="https://example.com/a.jpg">';

/** The article after its lines were told apart. */
function left(html: string): string {
  const { body } = parseDocument(`<html><body>${html}</body></html>`);
  removeLines(body, articleLines(body, { title: 'Gulls', authors: ['Ada Nordin'] }));
  return body.innerHTML;
}

describe('what only stands around an article', () => {
  it.each([
    ['its title', `<h1>Gulls</h1>${TEXT}`],
    ['its author and day', `<p>By Ada Nordin</p><div><span>3 May 2024</span></div>${TEXT}`],
    ['a label', `${TEXT}<p><b>Advertisement</b></p>`],
    ['a link to another page', `${TEXT}<ul><li><a href="/b">Other gulls of the sea</a></li></ul>`],
    [
      'a link with its picture',
      `${TEXT}<div><a href="/b">${IMG}</a><div><a href="/b">Other gulls</a></div></div>`,
    ],
    ['an aside', `${TEXT}<aside><p>Sign up to our letter.</p></aside>`],
    ['what follows an end', `${TEXT}<h2>Related articles</h2><p>About something else.</p>`],
    ['a button', `${TEXT}<div><button>Copy link</button></div>`],
    ['what is hidden', `${TEXT}<p hidden>Thank you for your message.</p>`],
    [
      'a part that one element shares with nothing else',
      `${TEXT}<div><section><p>Advertisement</p></section></div>`,
    ],
  ])('leaves its tree: %s', (_name, html) => {
    expect(left(html)).toBe(TEXT);
  });

  it('leaves a line that it shares an element with', () => {
    expect(left(`${TEXT}<p>The last gull.<br>Advertisement<br>It flew off.</p>`)).toBe(
      `${TEXT}<p>The last gull.<br><br>It flew off.</p>`,
    );
  });
});

describe('what stays in the tree of an article', () => {
  it.each([
    ['a picture with its caption', `<figure>${IMG}<figcaption>A gull.</figcaption></figure>`],
    ['the credit in a figure', `<figure>${IMG}<div>Photo: Ada</div></figure>`],
    ['a caption by its class', `<div>${IMG}<p class="wp-caption-text">A gull.</p></div>`],
    ['a picture that leads to its file', `<p><a href="/big.jpg?w=2000">${IMG}</a></p>`],
    ['a picture that leads to a page', `<p><a href="/gull">${IMG}</a></p>`],
    ['a player', '<div><iframe src="https://www.youtube.com/embed/abc"></iframe></div>'],
    ['what parts sections', '<hr>'],
    ['links that it lists', '<ul><li><a href="/b">Bug 1, a net that tears</a></li></ul>'],
    ['what it says again', `<section><p>${LINE(2)}</p></section>`],
  ])('%s', (_name, part) => {
    const html = `${TEXT}${part}<p>${LINE(5)} It goes on for a while, as such lines do.</p>`;

    expect(left(html)).toBe(html);
  });

  it('a picture below which a label goes', () => {
    expect(left(`${TEXT}<div>${IMG}<p>Photo: Ada Nordin</p></div><p>${LINE(5)}</p>`)).toBe(
      `${TEXT}<div>${IMG}</div><p>${LINE(5)}</p>`,
    );
  });

  it('an empty cell, so that the others keep their columns', () => {
    const row = (cell: string): string =>
      `<table><tbody><tr><td>${cell}</td><td>${LINE(5)}</td></tr></tbody></table>`;

    expect(left(`${TEXT}${row('<aside>Sign up</aside>')}`)).toBe(`${TEXT}${row('')}`);
  });

  it('all, where nothing is text', () => {
    expect(left('<h1>Gulls</h1>')).toBe('<h1>Gulls</h1>');
  });
});
