import { extractPage } from '../extract-page.js';

const ANSWER =
  'The new engine needs a third less coal, yet the drivers prefer the old one, which they can hear from afar.';

it('keeps the short question and the long answer of a shared conversation', () => {
  const { text, authors } = extractPage({
    html: `<html><body><main>
      <div data-message-author-role="user"><div>How do I mend a bell?</div></div>
      <div data-message-author-role="assistant"><p>${ANSWER}</p><button>Copy</button></div>
    </main></body></html>`,
    url: 'https://chat.example/share/1',
  });

  expect(text).toBe(`user\nHow do I mend a bell?\nassistant\n${ANSWER}`);
  expect(authors).toEqual([]);
});

it('keeps the posts of a forum with the skin of VerticalScope, without signatures', () => {
  const post = (name: string, words: string): string =>
    `<div class="MessageCard"><a class="MessageCard__user-info__name" href="/${name}">${name}</a>
      <article class="message-body"><div class="bbWrapper">${words}</div></article>
      <div class="message-signature"><div class="bbWrapper">Tar forever</div></div></div>`;
  const { text, authors, title } = extractPage({
    html: `<html><body><h1 class="MessageCard__thread-title">Late bells</h1>${post('ada', ANSWER)}${post('jon', 'Set it to zero.')}</body></html>`,
    url: 'https://forum.example/threads/late-bells.1',
  });

  expect({ title, names: authors.map(({ name }) => name) }).toEqual({
    title: 'Late bells',
    names: ['ada'],
  });
  expect(text).toContain(`${ANSWER}\njon\nSet it to zero.`);
  expect(text).not.toContain('Tar forever');
});
