import { parseDocument } from '../dom.js';
import { articleLines } from './article-lines.js';
import { removeLines } from './remove-lines.js';

const LINE = (number: number): string =>
  `Line ${number} is a sentence of the article that is long enough to be one, has a comma, and goes on until it is a paragraph of its own.`;
const TEXT = [1, 2, 3, 4].map((number) => `<p>${LINE(number)}</p>`).join('');
const KNOWN = { title: 'Gulls', authors: ['Ada Nordin'], day: '2024-05-03' };
const IMG = '<img src="https://example.com/a.jpg">';

/** Returns the article without its removed lines. */
function left(html: string): string {
  const { body } = parseDocument(`<html><body>${html}</body></html>`);
  removeLines(body, articleLines(body, KNOWN).gone());
  return body.innerHTML;
}

const ASIDE = '<p>Sign up to our letter.</p>';
const aside = (content: string): string => `<aside>${content}</aside>`;

describe('what only stands around an article', () => {
  it.each([
    ['its title', '<h1>Gulls</h1>'],
    ['its author and day', '<p>By Ada Nordin</p><div><span>3 May 2024</span></div>'],
    ['a path', '<p><a href="/">Home</a> / Harbour</p><h1>Gulls</h1>'],
  ])('leaves its tree: %s', (_name, html) => {
    expect(left(html + TEXT)).toBe(TEXT);
  });

  it.each([
    ['a label', '<p><b>Advertisement</b></p>'],
    ['a label that links', '<p><a href="/b">Read more</a></p>'],
    ['an aside', aside(ASIDE)],
    ['an aside with a picture that leads away', aside(`<a href="/b">${IMG}</a>${ASIDE}`)],
    [
      'what follows an end',
      '<h2>Related articles</h2><p><a href="/b">Something else</a></p><p>About it.</p>',
    ],
    [
      'other articles with their pictures',
      `<h2>Related articles</h2><ul><li><a href="/b">${IMG}</a><h3><a href="/b">Terns</a></h3></li></ul>`,
    ],
    ['comments', '<h2>3 comments</h2><h3>Jon</h3><p>Nice.</p><h2>Leave a reply</h2>'],
    ['a button', '<div><button>Copy link</button></div>'],
    ['the elements around it', '<div><section><p>Advertisement</p><br></section></div>'],
    ['what no browser shows beside it', aside(`${ASIDE}<noscript>Allow scripts.</noscript>`)],
  ])('leaves its tree: %s', (_name, html) => {
    expect(left(TEXT + html)).toBe(TEXT);
  });

  it('leaves a line that it shares an element with', () => {
    const html = (line: string): string => `<div>${line}<p>${LINE(5)}</p>The end.</div>`;

    expect(left(TEXT + html('Advertisement<aside>Sign up</aside>'))).toBe(
      TEXT + html('Advertisement'),
    );
  });
});

describe('what stays in the tree of an article', () => {
  it.each([
    ['a picture', IMG],
    ['a picture that leads to its file', `<a href="/big.jpg?w=2000">${IMG}</a>`],
    ['a video', '<video src="/a.mp4"></video>'],
    ['a sound', '<audio src="/a.mp3"></audio>'],
    ['a player', '<iframe src="https://www.youtube.com/embed/abc"></iframe>'],
  ])('%s beside a line that goes', (_name, kept) => {
    const html = (line: string): string => `${TEXT}${aside(kept + line)}<p>${LINE(5)}</p>`;

    expect(left(html(ASIDE))).toBe(html(''));
  });

  it('a picture that leads to a page beside a label', () => {
    const html = (line: string): string =>
      `${TEXT}<div><a href="/gull">${IMG}</a>${line}</div><p>${LINE(5)}</p>`;

    expect(left(html('<p>Advertisement</p>'))).toBe(html(''));
  });

  it('an empty cell, so that the others keep their columns', () => {
    const row = (cell: string): string =>
      `<table><tbody><tr><td>${cell}</td><td>${LINE(5)}</td></tr></tbody></table>`;

    expect(left(`${TEXT}${row(aside('Sign up'))}`)).toBe(`${TEXT}${row('')}`);
  });

  it('a button that names what it opens', () => {
    const html = `${TEXT}<div><button>Who mends the nets of the harbour?</button></div>`;

    expect(left(html)).toBe(html);
  });
});
