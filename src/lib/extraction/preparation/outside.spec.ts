import { parseDocument } from '../dom.js';
import { extractPage } from '../extract-page.js';
import { removeOutside } from './outside.js';

const TERMS = `<p>${'You agree that each parcel is lost if the mail boat is late, and so on. '.repeat(40)}</p>`;
const textOf = (body: string): string =>
  extractPage({
    html: `<title>Nets</title><body>${body}</body>`,
    url: 'https://shop.example/nets',
  }).text;

it('leaves out a request for consent on a page with little text', () => {
  const consent = `<section><div role="dialog"><p>${'We use cookies, and similar things, to know who you are. '.repeat(6)}</p></div></section>`;
  const text = textOf(`<main><h1>Nets</h1><div>A net of hemp.</div></main>${consent}`);

  expect(text).toContain('A net of hemp');
  expect(text).not.toContain('cookies');
});

it('removes footers and menus, but not who is quoted and the notes of an article', () => {
  const { body } = parseDocument(
    `<html><body><nav>Menu</nav><article>Text <footer>Note</footer></article><blockquote>Word <footer>Ada</footer></blockquote><footer>${TERMS}</footer></body></html>`,
  );
  removeOutside(body);

  expect(body.textContent).toBe('Text NoteWord Ada');
});

it('keeps the article of a page that has nothing but a dialog', () => {
  expect(textOf(`<div role="dialog"><p>A dialog. ${TERMS}</p></div>`)).toContain('parcel');
});
