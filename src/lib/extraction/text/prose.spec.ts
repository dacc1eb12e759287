import { parseDocument } from '../dom.js';
import { lengthOf, proseOf } from './prose.js';

const bodyOf = (html: string) => parseDocument(`<html><body>${html}</body></html>`).body;
const SENTENCE = 'This is a sentence that is long enough to be read as the prose of some page.';
const LINKED = `${SENTENCE} ${SENTENCE} <a href="/x">${SENTENCE}</a>`;

it.each([
  ['cards', `<div class="story card"><p>${SENTENCE}</p></div>`],
  ['items of a list that are made of blocks', `<ul><li><h3>Gulls</h3><p>${SENTENCE}</p></li></ul>`],
])('does not count %s where the page says that it is an article', (_name, teasers) => {
  const body = bodyOf(`<p>${SENTENCE}</p>${teasers}`);

  expect(lengthOf(proseOf(body, true))).toBe(SENTENCE.length);
});

it('does not count the text of links there', () => {
  const [all, own] = [false, true].map((isDeclared) =>
    lengthOf(proseOf(bodyOf(`<p>${LINKED}</p>`), isDeclared)),
  );

  expect(all! - own!).toBe(SENTENCE.length);
});

it('counts cards of a page that may be a list', () => {
  const card = `<div class="card"><p>${SENTENCE.replace('some', 'another')}</p></div>`;

  expect(proseOf(bodyOf(`<p>${SENTENCE}</p>${card}`), false)).toHaveLength(2);
});

it('counts what is there twice once, and nothing of navigation, forms and comments', () => {
  const around = ['nav', 'form', 'aside'].map((name) => `<${name}><p>${SENTENCE}!</p></${name}>`);
  const comments = `<div class="comments"><p>${SENTENCE}?</p></div>`;

  expect(
    proseOf(bodyOf(`<p>${SENTENCE}</p><p>${SENTENCE}</p>${around.join('')}${comments}`), false),
  ).toHaveLength(1);
});

it('counts a card that holds most of the text', () => {
  const card = `<div class="card"><p>${SENTENCE}</p></div>`;

  expect(
    proseOf(bodyOf(`<ul><li><a href="/x">${SENTENCE}</a></li></ul>${card}`), true),
  ).toHaveLength(1);
});

it('counts what stands in the wrapper of the whole page, whatever that is named after', () => {
  const page = `<div class="post has-comments"><h1>Gulls</h1><p>${SENTENCE}</p></div>`;
  const comments = `<div class="comments"><p>${SENTENCE}?</p></div>`;

  expect(proseOf(bodyOf(page + comments), false)).toHaveLength(1);
});

it('counts cards that are links only if most of a page that is no article is in them', () => {
  const card = (word: string) => `<a href="/x"><p>${SENTENCE.replace('some', word)}</p></a>`;
  const cards = ['one', 'another', 'each'].map(card).join('');
  const [page, declared, few] = [
    proseOf(bodyOf(`<p>${SENTENCE}</p>${cards}`), false),
    proseOf(bodyOf(`<p>${SENTENCE}</p>${cards}`), true),
    proseOf(bodyOf(`<p>${SENTENCE}</p>${card('one')}`), false),
  ];

  expect([page, declared, few].map((found) => found.length)).toEqual([4, 1, 1]);
});
