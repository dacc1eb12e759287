import { extractPage } from '../extract-page.js';

const PROSE = `<p>${'The keepers mend their nets, early in the morning. '.repeat(8)}</p>`;

const shown = (inner: string): string =>
  extractPage({
    html: `<title>Nets</title><article><h1>Nets</h1>${PROSE}${inner}${PROSE}</article>`,
    url: 'https://www.courier.example/nets',
  }).articleHtml;

const box = (attributes: string, tag = 'div'): string =>
  `<${tag} ${attributes}><p>Careful</p><p>The tar is hot for an hour, so wait before you touch it.</p></${tag}>`;

it.each([
  ['a documentation system', box('class="admonition warning"')],
  ['a wiki', box('class="callout-block callout"')],
  ['a style library', box('class="alert alert-info" role="alert"')],
  ['a blog, with an aside', box('class="tip"', 'aside')],
  ['a quotation', box('class="note"', 'blockquote')],
  ['a role', box('role="note"')],
])('shows a box with a hint of %s as a note', (_, html) => {
  expect(shown(html)).toMatch(/<\w+[^>]* role="note"[^>]*><p>Careful<\/p>/u);
});

it.each([
  ['a longer class', box('class="note-taking"')],
  ['another role', box('role="region"')],
  ['a paragraph', '<p class="note">The tar is hot for an hour, so wait before you touch it.</p>'],
])('does not show %s as a note', (_, html) => {
  expect(shown(html)).toContain('The tar is hot');
  expect(shown(html)).not.toContain('role=');
});
