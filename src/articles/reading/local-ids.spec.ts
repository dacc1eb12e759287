import { chapterText } from '../epub/xhtml/chapter-text.js';
import { articleMarkdown } from './article-markdown.js';
import { showArticle } from './shown-article.js';

const color = { plain: '', noted: '' };
const labels = {
  table: 'Table',
  picture: 'Picture',
  video: 'Video',
  recording: 'Recording',
  highlights: { yellow: color, green: color, blue: color, pink: color },
};
const shown = (html: string): string =>
  showArticle({ html, labels, pictures: new Map(), passages: [] }).html;
const xhtml = (html: string): string => chapterText({ html, pictures: new Map() }).xhtml;

const NOTED =
  '<p>Late.<sup id="part-r"><a href="#part-n" role="doc-noteref">1</a></sup></p>' +
  '<ol><li id="part-n" role="doc-endnote"><p>A flood. <a href="#part-r" role="doc-backlink">↩</a></p></li></ol>';

it('jumps to a note and back in the reader, beside the ids of paragraphs', () => {
  const html = shown(NOTED);

  expect(html).toContain('<sup id="part-r"><a href="#part-n" role="doc-noteref"');
  expect(html).toMatch(/<li id="p-\d+"><span id="part-n"><\/span>/u);
});

it.each([
  ['an id of the page around the article', '<p id="quote">A</p>', 'id="quote"'],
  ['a link to such an id', '<p><a href="#quote">A</a></p>', 'href="#quote"'],
  ['another role', '<p><a href="#part-a" role="button">A</a></p>', 'role='],
])('does not show %s', (_, html, part) => {
  expect(shown(html)).not.toContain(part);
});

it('writes notes as footnotes in Markdown', () => {
  expect(articleMarkdown(NOTED)).toBe('Late.[^n]\n\n[^n]: A flood.\n');
});

it('jumps to a heading in Markdown', () => {
  expect(articleMarkdown('<p><a href="#part-a">Ropes</a></p><h2 id="part-a">Ropes</h2>')).toBe(
    '[Ropes](#part-a)\n\n## <a id="part-a"></a>Ropes\n',
  );
});

it('writes the language of code in Markdown', () => {
  expect(articleMarkdown('<pre><code class="language-python">ring()</code></pre>')).toBe(
    '```python\nring()\n```\n',
  );
});

it('marks notes in a book', () => {
  const chapter = xhtml(NOTED);

  expect(chapter).toContain('<a epub:type="noteref" href="#part-n">');
  expect(chapter).toContain('<li epub:type="footnote" id="part-n">');
});

it('has no link in a book to a place that the chapter lacks, and each id once', () => {
  const chapter = xhtml(
    '<p><a href="#part-gone">A</a></p><span id="part-b"><p>B</p><p>C</p></span>',
  );

  expect(chapter).not.toContain('href');
  expect(chapter.split('id="part-b"')).toHaveLength(2);
});
