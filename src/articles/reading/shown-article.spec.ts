import { articleMarkdown } from './article-markdown.js';
import { beforeInPatch, patchOf } from './passages.js';
import { showArticle } from './shown-article.js';

const shown = (html: string, ...quotes: string[]) =>
  showArticle({
    html,
    pictures: new Map(),
    passages: quotes.map((quote, at) => ({ id: String(at), quote, before: '' })),
  });

describe('an article with passages', () => {
  it('marks overlapping ones text by text, and no white space between elements', () => {
    const { html, found } = shown(
      '<p>one two</p>\n<p>three <i>four</i></p>',
      'two three',
      'one two three four',
      'five',
    );

    expect(html.replaceAll(/ id="p-\d"/g, '')).toBe(
      '<p><mark class="highlight" id="highlight-1" data-highlights="1">one </mark>' +
        '<mark class="highlight" id="highlight-0" data-highlights="0 1">two</mark></p>\n' +
        '<p><mark class="highlight" data-highlights="0 1">three </mark>' +
        '<i><mark class="highlight" data-highlights="1">four</mark></i></p>',
    );
    expect(found).toEqual(['1', '0']);
  });

  it('gives each one that begins in the same place a name', () => {
    const { html } = shown('<p>one two</p>', 'one', 'one two');

    expect(html.match(/id="highlight-\d"/g)).toEqual(['id="highlight-0"', 'id="highlight-1"']);
  });

  it('is told by a patch, its own and that of other clients', () => {
    expect(beforeInPatch(patchOf('said <before>', 'words'))).toBe('said  ');
    expect(beforeInPatch('@@ -1,7 +1,29 @@\n It%20is \n+%3Cpkt_tag_annotation%3E\n a')).toBe(
      'It is ',
    );
    expect(beforeInPatch('%')).toBe('');
  });
});

describe('an article as Markdown', () => {
  it.each([
    [
      '<p>a*b <a href="https://x.y/(1)">li <b>nk</b></a><br>c</p>',
      'a\\*b [li **nk**](https://x.y/%281%29)\\\nc\n',
    ],
    ['<ul><li>one<ul><li>in</li></ul></li></ul><p># no</p>', '- one\n\n  - in\n\n\\# no\n'],
    ['<p>x</p><blockquote><p>q</p><p>r</p></blockquote>', 'x\n\n> q\n>\n> r\n'],
    ['<pre><code>a `b`\n ```</code></pre>', '````\na `b`\n ```\n````\n'],
    ['<table><tr><th>a</th></tr><tr><td>1|2</td></tr></table>', '| a |\n| --- |\n| 1\\|2 |\n'],
    ['<p>&lt;script&gt;</p><script>x</script><h1>T</h1>', '\\<script\\>\n\n## T\n'],
  ])('%j', (html, markdown) => {
    expect(articleMarkdown(html)).toBe(markdown);
  });
});
