import { extractPage } from '../extract-page.js';

const LINES = [
  'The new engine needs a third less coal, yet the drivers prefer the old one, which they can hear from afar.',
  'Each of the seven mills had its own measure of flour, which made the market a place of long arithmetic.',
  'On the third day the glass fell, the cattle lay down, and the harbour master took in his flag.',
];
const TEASER =
  'A gauge on the bridge writes the height of the water every four minutes into a notebook.';
const json = JSON.stringify;
const flight = json(
  `1:${json(['$', 'main', null, LINES.map((line) => ['$', 'p', null, { children: line }])])}\n`,
);

const textOf = (scripts: string): string =>
  extractPage({
    html: `<html><head><title>The bell</title></head><body><div id="root"></div>${scripts}</body></html>`,
    url: 'https://courier.example/the-bell',
  }).text;

it.each([
  [
    'JSON-LD',
    `<script type="application/ld+json">${json({ '@type': 'NewsArticle', articleBody: LINES.join('\n\n') })}</script>`,
  ],
  [
    'JSON with parts of lines',
    `<script id="__NEXT_DATA__" type="application/json">${json({
      post: {
        body: LINES.map((line) => ({
          children: [{ text: line.slice(0, 20) }, { text: line.slice(20) }],
        })),
      },
      more: [{ text: TEASER }],
    })}</script>`,
  ],
  [
    'JSON with HTML',
    `<script>window.__STATE__ = ${json({ post: { html: LINES.map((line) => `<p>${line}</p>`).join('') }, more: [{ text: TEASER }] })};</script>`,
  ],
  ['streamed data', `<script>self.__next_f.push([1,${flight}])</script>`],
])('reads the article of a page without prose from %s', (_source, scripts) => {
  expect(textOf(scripts)).toBe(LINES.join('\n'));
});

it('does not read labels from scripts', () => {
  expect(
    textOf(`<script>window.x = {"labels": ["Share", "Sign up for the letter"]}</script>`),
  ).toBe('');
});
