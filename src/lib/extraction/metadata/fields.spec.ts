import { processorSeconds } from '../../../../test/support/processor-time.js';
import { parseDocument } from '../dom.js';
import { scanMarkup } from '../markup/scan-markup.js';
import { type Metadata, metadataOf, readClues } from './metadata.js';
import { surveyOf } from './survey.js';

const PAGE = 'https://www.courier.example/stories/one';

function metadata(html: string, url = PAGE, readAt?: Date): Metadata {
  const markup = scanMarkup(html);
  return metadataOf(
    readClues(markup.facts, { url, readAt }, surveyOf(parseDocument(markup.html).body)),
  );
}

describe('authors', () => {
  it('are not looked for in more metas than a page has that is meant to be read', () => {
    const same = '<meta name="author" content="Ada Nordin">'.repeat(40);
    const other = '<meta name="author" content="Jon Vesterby">';

    expect(metadata(other + same).authors).toHaveLength(2);
    expect(metadata(same + other).authors).toHaveLength(1);
  });

  it('are read as far as they are kept, where JSON-LD names thousands', async () => {
    const author = Array.from(
      { length: 30_000 },
      (_, at) => `Ada Nordin of ${'i'.repeat(at % 30)}`,
    );
    const mentions = Array.from({ length: 1_900 }, (_, at) => ({ publisher: `Press ${at}` }));
    const html = `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', author, mentions })}</script>`;

    expect(metadata(html).authors).toHaveLength(20);
    expect(await processorSeconds(() => metadata(html))).toBeLessThan(0.5);
  });

  it.each([
    [
      'JSON-LD',
      '<script type="application/ld+json">{"@type":"Article","author":{"name":"Ada Nordin"}}</script><meta name="author" content="x y">',
      ['Ada Nordin'],
    ],
    ['meta', '<meta name="author" content="Ada Nordin">', ['Ada Nordin']],
    [
      'several metas',
      '<meta name="citation_author" content="Nordin, Ada"><meta name="citation_author" content="Vesterby, Jon">',
      ['Ada Nordin', 'Jon Vesterby'],
    ],
    [
      'microdata',
      '<span itemprop="author"><b itemprop="name">Ada Nordin</b> writes</span>',
      ['Ada Nordin'],
    ],
    ['rel', '<a rel="author" href="/ada">Ada Nordin</a>', ['Ada Nordin']],
    [
      'class',
      '<div class="byline"><span>By Ada Nordin</span><span>9 March</span></div>',
      ['Ada Nordin'],
    ],
    ['not in comments', '<div class="comments"><a rel="author">Troll</a></div>', []],
    ['a line below the headline', '<h1>T</h1><p>By Ada Nordin</p>', ['Ada Nordin']],
    ['a line with a colon', '<h1>T</h1><p>作者：小林一茶</p>', ['小林一茶']],
    ['a line with a label in Spanish', '<h1>T</h1><p>Autora: Ana López</p>', ['Ana López']],
    ['not a sentence', '<h1>T</h1><p>Autores: como escrevem hoje</p>', []],
    ['not who asks', '<h1>T</h1><p>記者：你在這個港口住了多少年了？</p>', []],
    ['a link to their page', '<h1>T</h1><a href="/authors/ada">Ada Nordin</a>', ['Ada Nordin']],
    [
      'a meta rather than the publisher',
      '<script type="application/ld+json">{"@type":"Article","publisher":{"name":"Nordin Press"},"author":{"name":"Nordin Press"}}</script><meta property="og:site_name" content="Courier"><meta name="article:author" content="Ada Nordin">',
      ['Ada Nordin'],
    ],
    [
      'the page, not by who reviewed what it sells',
      '<script type="application/ld+json">{"@type":"Product","review":[{"@type":"Review","author":{"name":"Happy Customer"},"datePublished":"2021-01-01"}]}</script>',
      [],
    ],
    [
      'the page, not by a part of it',
      '<script type="application/ld+json">{"@type":"WebPage","author":{"name":"Ada Nordin"},"hasPart":{"@type":"Article","author":{"name":"Jon Vesterby"}}}</script>',
      ['Ada Nordin'],
    ],
    [
      'what a page is about',
      '<script type="application/ld+json">{"@type":"WebPage","mainEntity":{"@type":"Article","author":{"name":"Ada Nordin"}}}</script>',
      ['Ada Nordin'],
    ],
    ['no menu', '<nav><a href="/staff/directory">Staff directory</a></nav>', []],
    ['no foot of the page', '<footer><span class="author">Jon Vesterby</span></footer>', []],
    [
      'the foot of the article',
      '<article><p>x</p><footer><span class="author">Ada Nordin</span></footer></article>',
      ['Ada Nordin'],
    ],
    ['no quotation', '<blockquote>x <span class="author">Oscar Wilde</span></blockquote>', []],
    ['no sentence', '<h1>T</h1><p>By Monday all was done.</p>', []],
    ['no day', '<h1>T</h1><p>By Monday all was done</p>', []],
    ['a name that is a month', '<h1>T</h1><p>By April Nordin</p>', ['April Nordin']],
    ['no credit of a picture', '<p class="author">Foto: Jan Kowalski</p>', []],
    ['no headline of a box', '<div class="authors-list"><h2>Our Authors</h2></div>', []],
    ['surname first', '<meta name="author" content="Nordin, Ada">', ['Ada Nordin']],
    [
      'all that a page of research cites',
      '<script type="application/ld+json">{"@type":"Article","author":{"name":"Ada Nordin"}}</script><meta name="citation_author" content="Nordin, Ada"><meta name="citation_author" content="Vesterby, Jon">',
      ['Ada Nordin', 'Jon Vesterby'],
    ],
  ])('by %s', (_name, html, names) => {
    expect(metadata(html).authors.map(({ name }) => name)).toEqual(names);
  });
});

describe('date', () => {
  it.each([
    [
      'JSON-LD first',
      '<script type="application/ld+json">{"@type":"Article","datePublished":"2024-03-09","dateModified":"2024-05-05"}</script><meta property="article:published_time" content="2020-01-01">',
      '2024-03-09',
    ],
    [
      'published before modified',
      '<meta property="article:modified_time" content="2024-05-05"><time datetime="2024-03-09">x</time>',
      '2024-03-09',
    ],
    ['microdata', '<meta itemprop="datePublished" content="2024-03-09">', '2024-03-09'],
    [
      'the time that is marked as that of publication',
      '<h1>T</h1><time datetime="2020-01-01">x</time><time datetime="2024-03-09" pubdate>x</time>',
      '2024-03-09',
    ],
    ['class', '<span class="post-date">March 9, 2024</span>', '2024-03-09'],
    ['data of a script', '<script>{"publishedAt":"2024-03-09T01:00:00Z"}</script>', '2024-03-09'],
    [
      'modified as the last resort',
      '<meta property="article:modified_time" content="2024-03-09">',
      '2024-03-09',
    ],
    [
      'in a wrapper that says that the page has a sidebar',
      '<div class="site has-sidebar"><h1>T</h1><time datetime="2024-03-09">x</time></div><div class="sidebar"><time datetime="2023-01-01">x</time></div>',
      '2024-03-09',
    ],
    [
      'not that of the day on which the page is read',
      '<header><span class="date">Wednesday, March 11, 2026</span></header><p>x</p>',
      '',
    ],
    [
      'in the head of the article',
      '<header><h1>T</h1><time datetime="2024-03-09">x</time></header>',
      '2024-03-09',
    ],
    ['not in a sentence', '<h1>T</h1><p>The peace was made on 24 December 1994 in Ghent.</p>', ''],
    ['in a line', '<h1>T</h1><p>Ada Nordin on 9 March 2024</p>', '2024-03-09'],
    [
      'not when something was founded',
      '<p>Founded: <time datetime="1994-05-01">1 May 1994</time></p>',
      '',
    ],
    [
      'not that of a quoted post',
      '<h1>T</h1><p>x</p><blockquote class="twitter-tweet"><p>Lit again.</p>Keeper <a href="/1"><time datetime="2024-03-09">9 March 2024</time></a></blockquote>',
      '',
    ],
    [
      'in a quotation that is only a margin',
      '<h1>T</h1><blockquote><p><time datetime="2024-03-09">9 March 2024</time></p><p>x</p></blockquote>',
      '2024-03-09',
    ],
    ['none', '<p>12:30</p>', ''],
  ])('%s', (_name, html, day) => {
    expect(metadata(html).publishedDay).toBe(day);
  });

  it.each([
    ['<html lang="en">', 'https://courier.example/x', '2026-12-03'],
    ['<html lang="en-GB">', 'https://courier.example/x', '2026-03-12'],
    ['<html lang="en-US">', 'https://courier.de/x', '2026-12-03'],
    ['<html lang="en">', 'https://courier.de/x', '2026-03-12'],
    ['<html lang="en">', 'https://courier.io/x', '2026-12-03'],
    ['<html lang="es">', 'https://courier.example/x', '2026-03-12'],
    ['<meta property="og:locale" content="en_GB">', 'https://courier.example/x', '2026-03-12'],
    ['', 'https://courier.example/x', '2026-12-03'],
  ])('in numbers is read as people write it there: %s at %s', (head, url, day) => {
    expect(metadata(`${head}<span class="post-date">12/03/2026</span>`, url).publishedDay).toBe(
      day,
    );
  });

  it('is not in the future: what says so is of something else', () => {
    const html =
      '<html lang="en"><meta name="date" content="2026-12-24"><time datetime="2026-11-24">x</time>';
    const numbers = '<html lang="en"><span class="post-date">12/03/2026</span>';
    const readAt = new Date('2026-11-23T12:00:00Z');

    expect(metadata(html, PAGE, readAt).publishedDay).toBe('2026-11-24');
    expect(metadata(numbers, PAGE, readAt).publishedDay).toBe('2026-03-12');
    expect(metadata('<p>x</p>', 'https://courier.example/2027/01/02/gulls', readAt)).toMatchObject({
      publishedDay: '',
      datePublished: null,
    });
  });

  it('is in the address, which also knows where the author sits', () => {
    const url = 'https://courier.example/2024/03/09/gulls';

    expect(metadata('<p>x</p>', url).publishedDay).toBe('2024-03-09');
    expect(
      metadata('<meta property="article:published_time" content="2024-03-10T02:00:00Z">', url),
    ).toMatchObject({
      publishedDay: '2024-03-09',
      datePublished: new Date('2024-03-10T02:00:00Z'),
    });
  });
});

describe('a page that lists articles', () => {
  const article = (headline: string): object => ({
    '@type': 'NewsArticle',
    headline,
    author: { name: 'Ada Nordin' },
    datePublished: '2024-03-09',
  });
  const list = { '@type': 'ItemList', itemListElement: ['One', 'Two'].map(article) };

  it.each([
    ['alone', list],
    ['as what it is about', { '@type': 'CollectionPage', mainEntity: list }],
  ])('has no title, author or date of a teaser: %s', (_name, data) => {
    const html = `<script type="application/ld+json">${JSON.stringify(data)}</script><title>News of the harbour</title>`;

    expect(metadata(html)).toMatchObject({
      title: 'News of the harbour',
      authors: [],
      datePublished: null,
    });
  });

  it('knows the site that it is part of', () => {
    const data = { '@type': 'Article', isPartOf: { '@type': 'WebSite', name: 'The Courier' } };
    const html = `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

    expect(metadata(html).site.name).toBe('The Courier');
  });
});

describe('the others', () => {
  it.each([
    ['<html lang="pt-BR">', 'pt'],
    ['<meta property="og:locale" content="de_AT">', 'de'],
    ['<html lang="{{lang}}">', ''],
  ])('%s speaks %j', (html, lang) => {
    expect(metadata(html).lang).toBe(lang);
  });

  it.each([
    ['<link rel="canonical" href="/two">', 'https://www.courier.example/two'],
    ['<link rel="canonical" href="https://courier.example/two">', 'https://courier.example/two'],
    ['<link rel="canonical" href="https://evil.example/two">', ''],
    ['<link rel="canonical" href="javascript:x">', ''],
    [
      '<meta property="og:url" content="https://m.courier.example/3">',
      'https://m.courier.example/3',
    ],
  ])('%s stands for %j', (html, url) => {
    expect(metadata(html).canonicalUrl).toBe(url);
  });

  it('shows the picture that the page names', () => {
    expect(metadata('<meta property="og:image" content="/a.jpg">').topImage).toBe(
      'https://www.courier.example/a.jpg',
    );
    expect(metadata('<meta property="og:image" content="data:x">').topImage).toBe('');
  });
});
