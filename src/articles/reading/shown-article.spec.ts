import { HIGHLIGHT_COLORS } from '../../lib/util/highlight-color.js';
import { articleMarkdown } from './article-markdown.js';
import { beforeInPatch, patchOf } from './passages.js';
import { showArticle } from './shown-article.js';

const labels = (color: string) => ({ plain: `${color} highlight`, noted: `${color}, with a note` });

const shown = (html: string, ...quotes: string[]) =>
  showArticle({
    html,
    labels: {
      ...{ table: 'Table', picture: 'Picture', video: 'Video', recording: 'Recording' },
      highlights: {
        ...{ yellow: labels('yellow'), green: labels('green') },
        ...{ blue: labels('blue'), pink: labels('pink') },
      },
    },
    pictures: new Map(),
    passages: quotes.map((quote, at) => ({
      ...{ id: String(at), quote, before: '', offset: 0 },
      color: HIGHLIGHT_COLORS[at] ?? 'yellow',
      hasNote: at === 1,
    })),
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
      '<p><mark class="highlight" id="highlight-1" data-highlights="1" data-top="1" data-color="green"><a href="#note-1" title="green, with a note">one </a></mark>' +
        '<mark class="highlight" id="highlight-0" data-highlights="0 1" data-top="0" data-color="yellow"><a href="#note-0" title="yellow highlight">two</a></mark></p>\n' +
        '<p><mark class="highlight" data-highlights="0 1" data-top="0" data-color="yellow"><a href="#note-0" tabindex="-1">three </a></mark>' +
        '<i><mark class="highlight" data-highlights="1" data-top="1" data-color="green"><a href="#note-1" tabindex="-1">four</a></mark></i></p>',
    );
    expect(found).toEqual(['1', '0']);
  });

  it('gives each one that begins in the same place a name', () => {
    const { html } = shown('<p>one two</p>', 'one', 'one two');

    expect(html.match(/id="highlight-\d"/g)).toEqual(['id="highlight-0"', 'id="highlight-1"']);
  });

  it('is no link inside a link of the article', () => {
    const { html } = shown('<p><a href="https://x.example/">one</a> two</p>', 'one two');

    expect(html).toMatch(/rel="noopener noreferrer"><mark [^>]*>one<\/mark><\/a>/);
    expect(html).toContain('<a href="#note-0" title="yellow highlight"> two</a></mark>');
  });

  it('is told by a patch, its own and that of other clients', () => {
    expect(beforeInPatch(patchOf('said <before>', 'words'))).toBe('said <before>');
    expect(beforeInPatch(patchOf('AT&T &amp; ', 'words'))).toBe('AT&T &amp; ');
    expect(beforeInPatch('@@ -1,7 +1,29 @@\n It%20is \n+%3Cpkt_tag_annotation%3E\n a')).toBe(
      'It is ',
    );
    expect(beforeInPatch('%')).toBe('');
  });
});

describe('the parts of an article', () => {
  it('lists the headings with their levels, without marks and empty headings', () => {
    const { headings } = shown(
      '<h1>One <i>of\n two</i></h1><p>a</p><h4>Deep</h4><h2> </h2><h2>Last</h2>',
      'of two',
    );

    expect(headings).toEqual([
      { paragraph: 0, level: 2, text: 'One of two' },
      { paragraph: 2, level: 3, text: 'Deep' },
      { paragraph: 4, level: 2, text: 'Last' },
    ]);
  });

  it('counts the pictures that it does not show, without decoration', () => {
    const { html, omitted } = shown(
      '<p><img src="https://x.example/a.jpg" data-image="1"><img src="https://x.example/b.jpg" data-image="201"><img src="https://x.example/line.gif"><img src="data:image/png;base64,AAAA"></p>',
    );

    expect(omitted).toBe(2);
    expect(html.match(/<img src="[^"]+"/g)).toEqual(['<img src="data:image/png;base64,AAAA"']);
  });

  it('puts tables into a region that scrolls, but not tables inside tables', () => {
    const { html } = shown(
      '<table><tr><td><table><tr><td>x</td></tr></table></td></tr></table><p>y</p>',
    );

    expect(
      html.match(/<div class="wide" tabindex="0" role="region" aria-label="Table">/g),
    ).toHaveLength(1);
    expect(html).toMatch(/<\/table><\/div><p id="p-2">y<\/p>$/);
  });

  it.each([
    [
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'youtube.com',
    ],
    [
      'https://www.youtube.com/embed/videoseries?si=1&amp;list=PLa_b-1',
      'https://www.youtube.com/playlist?list=PLa_b-1',
      'youtube.com',
    ],
    [
      'https://www.youtube.com/embed/live_stream?channel=UCa_b-1',
      'https://www.youtube.com/channel/UCa_b-1',
      'youtube.com',
    ],
    [
      'https://www.youtube.com/embed/videoseries',
      'https://www.youtube.com/embed/videoseries',
      'youtube.com',
    ],
    ['https://player.vimeo.com/video/76979871?dnt=1', 'https://vimeo.com/76979871', 'vimeo.com'],
    [
      'https://player.vimeo.com/video/76979871?h=8272103f6e',
      'https://vimeo.com/76979871/8272103f6e',
      'vimeo.com',
    ],
    [
      'https://player.vimeo.com/video/76979871?dnt=1&amp;h=8272103f6e&amp;app_id=1',
      'https://vimeo.com/76979871/8272103f6e',
      'vimeo.com',
    ],
    [
      'https://player.vimeo.com/video/76979871?h=../../log_in',
      'https://vimeo.com/76979871',
      'vimeo.com',
    ],
    [
      'https://www.dailymotion.com/embed/video/x7tgad0',
      'https://www.dailymotion.com/video/x7tgad0',
      'dailymotion.com',
    ],
    ['https://media.example/a.mp4?b="c', 'https://media.example/a.mp4?b=&quot;c', 'media.example'],
  ])('links to the page that plays a video: %s', (src, href, site) => {
    const { html } = shown(`<iframe src='${src}'></iframe>`);

    expect(html).toBe(
      `<span class="media-link">Video: <a href="${href}" rel="noopener noreferrer">${site}</a></span>`,
    );
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
