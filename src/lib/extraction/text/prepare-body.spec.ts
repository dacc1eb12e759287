import { attribute, parseDocument } from '../dom.js';
import { extractPage } from '../extract-page.js';
import { prepareBody } from './prepare-body.js';

function idIn(html: string): string {
  const { body } = parseDocument(`<html><body>${html}</body></html>`);
  prepareBody(body);
  return attribute(body.querySelector('section')!, 'id');
}

it.each([
  ['the words of its heading', '<section id="related-work"><h2>Related work</h2></section>'],
  [
    'a prefix before them, and another anchor',
    '<section id="s-related-work"><span id="related-work"></span><h2>Related work</h2></section>',
  ],
])('takes an id for an anchor that has %s', (_name, html) => {
  expect(idIn(html)).toBe('');
});

it.each([
  ['comments', '<section id="comments"><h2>Comments</h2></section>'],
  ['related', '<section id="related"><h2>More to read</h2></section>'],
  ['related-work', '<section id="related-work"><p>x</p><h2>Related work</h2></section>'],
  ['all-related', '<section id="all-related"><h2>Related</h2></section>'],
])('keeps the id %s', (id, html) => {
  expect(idIn(html)).toBe(id);
});

const chapter = (id: string, heading: string): string =>
  `<section id="${id}"><h2>${heading}</h2></section>`;

it.each([
  ['of a manual', chapter('types', 'Types'), chapter('calls', 'Calls'), ''],
  ['below an article', chapter('types', 'Types') + chapter('calls', 'Calls'), '', 'comments'],
  ['between headings that are anchors', '<h2 id="a-b">A b</h2>', '<h2 id="c">C</h2>', 'comments'],
])('tells the section "Comments" %s', (_name, before, behind, id) => {
  const section = '<section id="comments" class="here"><h2>Comments</h2></section>';
  const { body } = parseDocument(`<html><body>${before}${section}${behind}</body></html>`);
  prepareBody(body);

  expect(attribute(body.querySelector('.here')!, 'id')).toBe(id);
});

it.each([
  ['', 'a.jpg 1x'],
  [' src="b.jpg"', ''],
])('fills a picture%s from what stands before it', (src, expected) => {
  const { body } = parseDocument(
    `<html><body><picture><source srcset="a.jpg 1x"><img${src}></picture></body></html>`,
  );
  prepareBody(body);

  expect(attribute(body.querySelector('img')!, 'srcset')).toBe(expected);
});

it('takes notes for text, and goes on behind them', () => {
  const { body } = parseDocument(
    '<html><body><aside class="note" hidden>Gloves.</aside><aside class="sidebar-info">Ad</aside><h2><button>Why?</button></h2></body></html>',
  );
  prepareBody(body);

  expect(body.innerHTML).toBe(
    '<div hidden class="note">Gloves.</div><aside class="sidebar-info">Ad</aside><h2>Why?</h2>',
  );
});

it('keeps questions that open their answers', () => {
  const answer =
    'Nets break where the tide drags them over stones, and no yarn has been found that lasts. ';
  const part = (at: number): string =>
    `<h2 class="accordion-header"><button>Why do nets break ${at} times?</button></h2><div><p>${answer.repeat(3)}${at}</p></div>`;
  const parts = Array.from({ length: 8 }, (_, at) => part(at)).join('');

  const { text, articleHtml } = extractPage({
    html: `<title>Nets</title><main>${parts}</main>`,
    url: 'https://courier.example/nets',
  });

  expect(text.match(/Why do nets break \d times\?/gu)).toHaveLength(8);
  expect(articleHtml).toContain(
    '<h2 id="part-Why-do-nets-break-0-times">Why do nets break 0 times?</h2>',
  );
});
