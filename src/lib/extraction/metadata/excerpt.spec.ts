import { extractPage } from '../extract-page.js';

const SENTENCE = 'The gulls of the pier are back, and with them the noise of a spring morning.';
const PARAGRAPH = `${SENTENCE} The baker alone complains of it.`;

const excerptOf = (head: string): string =>
  extractPage({
    html: `<html><head><title>Gulls</title>${head}</head><body><article>${`<p>${PARAGRAPH}</p><p>${SENTENCE}</p>`.repeat(3)}</article></body></html>`,
    url: 'https://courier.example/gulls',
  }).excerpt;
const og = (text: string): string => `<meta property="og:description" content="${text}">`;
const description = (text: string): string => `<meta name="description" content="${text}">`;

it.each([
  ['the first description', og(SENTENCE) + description(PARAGRAPH), SENTENCE],
  ['the whole of one that is cut off', og(`${SENTENCE}…`) + description(PARAGRAPH), PARAGRAPH],
  [
    'one that is cut off rather than a slogan of the site',
    og(`${SENTENCE}…`) + description('The Harbour Courier, all the news of the pier'),
    `${SENTENCE}…`,
  ],
  ['the first paragraph where the description is short', og('Read more.'), PARAGRAPH],
  ['the first paragraph where there is none', '', PARAGRAPH],
])('is %s', (_name, head, excerpt) => {
  expect(excerptOf(head)).toBe(excerpt);
});

it('is cut between words', () => {
  const long = excerptOf(og(`${SENTENCE} `.repeat(10)));

  expect(long).toMatch(/^The gulls .*\w…$/u);
  expect(long.length).toBeLessThanOrEqual(401);
});
