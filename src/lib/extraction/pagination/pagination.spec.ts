import { extractPage } from '../extract-page.js';
import type { PageContent } from '../page-content.js';
import { continues, firstOf, joined } from './join-pages.js';
import { isPageAfter } from './page-numbers.js';

const FIRST = 'https://paper.example/2024/05/the-tide-gauge-of-ness/';

const sentence = (word: string): string =>
  `The ${word} was read by hand every morning, whatever the weather, for thirty years. `;
const proseOf = (word: string, paragraphs = 6): string =>
  Array.from({ length: paragraphs }, (_, n) => `<p>${sentence(`${word} ${n}`).repeat(3)}</p>`).join(
    '',
  );

interface Written {
  readonly url?: string;
  readonly head?: string;
  readonly title?: string;
  readonly body: string;
}

const htmlOf = ({ head = '', title = 'The tide gauge of Ness', body }: Written): string =>
  `<html lang="en"><head><title>${title}</title><meta property="og:type" content="article">
    <meta property="article:published_time" content="2024-05-02">${head}</head>
    <body><main><article><h1>${title}</h1>${body}</article></main></body></html>`;

const page = (written: Written): PageContent =>
  extractPage({ html: htmlOf(written), url: written.url ?? FIRST });

describe('the address of a further page', () => {
  it.each([
    ['https://a.example/story', 'https://a.example/story?page=2'],
    ['https://a.example/story', 'https://a.example/story?page=1'],
    ['https://a.example/story?id=7', 'https://a.example/story?page=2&id=7'],
    ['https://a.example/story/', 'https://a.example/story/2/'],
    ['https://a.example/story/', 'https://a.example/story/page/2'],
    ['https://a.example/story', 'https://a.example/story/seite-2'],
    ['https://a.example/story-7.html', 'https://a.example/story-7-2.html'],
    ['https://a.example/story,7.html', 'https://a.example/story,7,2.html'],
    ['https://a.example/story_1.html', 'https://a.example/story_2.html'],
    ['https://a.example/story/index.html', 'https://a.example/story/index2.html'],
    ['https://a.example/story?page=1', 'https://a.example/story?page=2'],
  ])('of %s may be %s', (first, next) => {
    expect(isPageAfter([first], 1, next)).toBe(true);
  });

  it.each([
    ['https://a.example/story', 'https://b.example/story?page=2'],
    ['https://a.example/story', 'http://a.example/story?page=2'],
    ['https://a.example/story', 'https://a.example/story?page=3'],
    ['https://a.example/story', 'https://a.example/story'],
    ['https://a.example/story', 'https://a.example/another/2'],
    ['https://a.example/threads/7', 'https://a.example/threads/8'],
    ['https://a.example/story?page=4', 'https://a.example/story?page=5'],
    ['https://a.example/story/', 'https://a.example/story/comment-page-2/'],
    ['https://a.example/', 'https://a.example/page/2/'],
    ['https://a.example/open-thread/', 'https://a.example/open-thread-2/'],
    ['https://a.example/whale/chapter-1.html', 'https://a.example/whale/chapter-2.html'],
    ['https://a.example/story', 'not an address'],
  ])('of %s is never %s', (first, next) => {
    expect(isPageAfter([first], 1, next)).toBe(false);
  });
});

describe('the next page of an article', () => {
  it.each([
    ['declared in the head', { head: '<link rel="next" href="2/">', body: proseOf('gauge') }],
    ['marked', { body: `${proseOf('gauge')}<a rel="next" href="2/">Next page</a>` }],
    ['a number', { body: `${proseOf('gauge')}<nav>1 <a href="2/">2</a> <a href="3/">3</a></nav>` }],
    ['an arrow', { body: `${proseOf('gauge')}<a href="2/#top">»</a>` }],
    [
      'an icon with a label',
      { body: `${proseOf('gauge')}<a aria-label="Next page" href="2/"><i></i></a>` },
    ],
    ['a title', { body: `${proseOf('gauge')}<p><a href="2/">Next page: the storm</a></p>` }],
    ['in German', { body: `${proseOf('gauge')}<a href="2/">Nächste Seite ›</a>` }],
    ['in Japanese', { body: `${proseOf('gauge')}<a href="2/">次のページへ</a>` }],
  ])('is found if it is %s', (_how, written) => {
    expect(page(written).nextPage).toBe(`${FIRST}2/`);
  });

  it('is found from the canonical address if the page was saved with a longer one', () => {
    const { nextPage } = page({
      url: `${FIRST}?utm_source=mail`,
      head: `<link rel="canonical" href="${FIRST}"><link rel="next" href="${FIRST}2/">`,
      body: proseOf('gauge'),
    });

    expect(nextPage).toBe(`${FIRST}2/`);
  });

  it.each([
    ['the next article', '<a rel="next" href="/2024/05/the-storm/">Next</a>'],
    ['the next post with a number', '<a rel="next" href="/2024/06/2/">Next</a>'],
    [
      'another host',
      '<a rel="next" href="https://other.example/2024/05/the-tide-gauge-of-ness/2/">2</a>',
    ],
    ['a page of comments', '<a rel="next" href="comment-page-2/#comments">Newer comments</a>'],
    ['a link with another label', '<a href="2/">The storm of 1953</a>'],
    ['a script', '<a href="javascript:page(2)">2</a>'],
  ])('is never %s', (_what, link) => {
    expect(page({ body: proseOf('gauge') + link }).nextPage).toBe('');
  });

  it.each([
    [
      'a list of products',
      `${proseOf('lamp', 1)}<ul>${'<li>Brass lamp with a glass, two wicks, 31 cm</li>'.repeat(3)}${'<li>Iron lamp for a boat, with a hook, in stock</li>'.repeat(40)}</ul>`,
    ],
    [
      'a blog that shows several posts',
      ['one', 'two', 'three']
        .map((post) => `<h2><a href="/posts/${post}">The post ${post}</a></h2>${proseOf(post, 2)}`)
        .join(''),
    ],
    [
      'a page of links',
      '<ul>' + '<li><a href="/x">A headline of a story</a></li>'.repeat(30) + '</ul>',
    ],
  ])('is not searched on %s', (_what, body) => {
    expect(page({ body: `${body}<a rel="next" href="2/">Next page</a>` }).nextPage).toBe('');
  });
});

describe('an article on several pages', () => {
  const further = (written: Written, before: ReturnType<typeof firstOf>): PageContent =>
    extractPage({
      html: htmlOf(written),
      url: written.url ?? `${FIRST}2/`,
      before: before.before,
    });
  const start = (): ReturnType<typeof firstOf> =>
    firstOf(
      page({
        head: '<link rel="next" href="2/">',
        body: `<p class="standfirst">${sentence('standfirst').repeat(2)}</p>${proseOf('gauge')}<figure><img src="/gauge.jpg" width="600"></figure><h2 id="log">The log</h2>`,
      }),
      FIRST,
    );

  it('has the text, the pictures and the words of all pages', () => {
    const first = start();
    const second = further(
      {
        title: 'The tide gauge of Ness - Page 2 of 2',
        body: `<h2 id="log">A second log</h2>${proseOf('storm')}<p>See <a href="#log">the log</a>.</p><figure><img src="/storm.jpg" width="600"></figure>`,
      },
      first,
    );

    expect(continues(first, second, `${FIRST}2/`)).toBe(true);
    const { content } = joined(first, second);
    expect(content.text).toMatch(/gauge 0 was read[^]*storm 5 was read/u);
    expect(content.wordCount).toBe(first.content.wordCount + second.wordCount);
    expect(content.images.map(({ src, position }) => [new URL(src).pathname, position])).toEqual([
      ['/gauge.jpg', 1],
      ['/storm.jpg', 2],
    ]);
    expect(content.articleHtml).toMatch(/data-image="2"[^>]*storm\.jpg"/u);
    expect(content.articleHtml).toContain('id="part-log"');
    expect(content.articleHtml).toContain('id="part-p2-log"');
    expect(content.articleHtml).toContain('href="#part-p2-log"');
    expect(content.title).toBe('The tide gauge of Ness');
  });

  it('has a standfirst that each page repeats only once, and keeps a refrain', () => {
    const first = start();
    const standfirst = `<p>${sentence('standfirst').repeat(2)}</p>`;
    const refrain = `<p>${sentence('gauge 3').repeat(3)}</p>`;
    const { text, articleHtml } = further(
      { body: standfirst + proseOf('storm', 3) + refrain + proseOf('calm', 3) + standfirst },
      first,
    );

    expect(text).not.toContain('standfirst');
    expect(articleHtml).not.toContain('standfirst');
    expect(text).toContain('gauge 3');
  });

  it.each<[string, Written]>([
    ['has another title', { title: 'The storm of 1953', body: proseOf('storm') }],
    ['repeats the text', { body: proseOf('gauge') + proseOf('comment', 2) }],
    ['has no text', { body: '' }],
    [
      'is of another day',
      {
        head: '<meta property="article:published_time" content="2024-06-09">',
        body: proseOf('storm'),
      },
    ],
  ])('does not contain a page that %s', (_what, written) => {
    const first = start();
    const html = htmlOf(written).replace(
      written.head === undefined
        ? ''
        : /<meta property="article:published_time" content="2024-05-02">/u,
      '',
    );
    const second = extractPage({ html, url: `${FIRST}2/`, before: first.before });

    expect(continues(first, second, `${FIRST}2/`)).toBe(false);
  });

  it('does not contain a page to which the address of the next page redirects', () => {
    const first = start();
    const second = further({ body: proseOf('storm') }, first);

    expect(continues(first, second, FIRST)).toBe(false);
    expect(continues(first, second, 'https://paper.example/other/2/')).toBe(false);
  });

  it('has a next page after the second one', () => {
    const second = further(
      { body: `${proseOf('storm')}<a href="./">1</a> <a href="../3/">Next</a>` },
      start(),
    );

    expect(second.nextPage).toBe(`${FIRST}3/`);
  });
});
