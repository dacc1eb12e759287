import { extractPage } from './extract-page.js';
import type { PageContent } from './page-content.js';

const prose = (word: string): string =>
  `The ${word} was read by hand every morning, whatever the weather, and the book was dry when the storm came over the island in the last week of winter.`;
const paragraph = (word: string): string => `<p>${prose(word)}</p>`;
const read = (html: string, url = 'https://files.example/The-tide-gauge-0f3c.html'): PageContent =>
  extractPage({ html: `<html>${html}</html>`, url });

const BLOGGER = `<head><title>Knots and tides: The tide gauge</title><meta content="blogger" name="generator"></head>
 <body><div class="header"><h1 class="title"><a href="/">Knots and tides</a></h1></div><div class="blog-posts hfeed"><div class="date-outer">
 <h2 class="date-header"><span>Thursday, May 2, 2024</span></h2><div class="post hentry" itemscope itemtype="http://schema.org/BlogPosting">
 <h3 class="post-title entry-title" itemprop="name">The tide gauge</h3><div class="post-body entry-content" itemprop="description articleBody">
 ${prose('gauge')}<br><br>${prose('book')}<br><br>${prose('float')}<div style="clear: both;"></div></div><div class="post-footer">
 <span class="post-author vcard">Posted by <span class="fn" itemprop="author" itemscope><a href="/profile/1"><span itemprop="name">Ines Marlow</span></a></span></span>
 <span class="post-timestamp">at <abbr class="published" itemprop="datePublished" title="2024-05-02T10:00:00+02:00">10:00</abbr></span></div>
 <div class="comments" id="comments"><h4>1 comment:</h4><p>Nice post!</p></div></div></div></div></body>`;

const MEDIUM = `<head><title>The tide gauge</title></head><body><article class="h-entry"><header><h1 class="p-name">The tide gauge</h1></header>
 <section data-field="subtitle" class="p-summary">How the sea was measured.</section><section data-field="body" class="e-content"><section class="section">
 <div class="section-divider"><hr></div><div class="section-content"><div class="section-inner"><h3 class="graf graf--h3 graf--title">The tide gauge</h3>
 ${paragraph('gauge')}${paragraph('book')}${paragraph('float')}</div></div></section></section>
 <footer><p>By <a href="https://medium.com/@ines" class="p-author h-card">Ines Marlow</a> on <a href="/p/1"><time class="dt-published" datetime="2024-05-02T10:00:00.000Z">May 2, 2024</time></a>.</p>
 <p><a href="/p/1" class="p-canonical">Canonical link</a></p><p>Exported from <a href="https://medium.com">Medium</a> on May 9, 2024.</p></footer></article></body>`;

const NOTION = `<head><title>The tide gauge</title></head><body><article class="page sans"><header><h1 class="page-title">The tide gauge</h1>
 <table class="properties"><tbody><tr class="property-row"><th>Created</th><td><time>@May 2, 2024 10:00 AM</time></td></tr>
 <tr class="property-row property-row-person"><th>Author</th><td><span class="user">Ines Marlow</span></td></tr></tbody></table></header>
 <div class="page-body">${paragraph('gauge')}<ul class="toggle"><li><details open=""><summary>How it works</summary>${paragraph('book')}</details></li></ul>
 <figure class="callout" style="display:flex"><div><span class="icon">!</span></div><div>Mind the gap between the pier and the boat.</div></figure>
 ${paragraph('float')}</div></article></body>`;

const toggle = (icon: string): string =>
  `<div class="kg-card kg-toggle-card" data-kg-toggle-state="close"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">How it works</h4>${icon}</div><div class="kg-toggle-content">${paragraph('book')}</div></div>`;
const GHOST = `<head><title>The tide gauge</title><meta property="og:site_name" content="Knots"><meta property="og:type" content="article"></head>
 <body class="post-template"><header class="gh-head"><a href="/">Knots</a><nav>Home</nav></header><main><article class="gh-article post"><header class="gh-article-header">
 <h1>The tide gauge</h1><div class="gh-article-meta"><h4 class="gh-article-author-name"><a href="/author/ines/">Ines Marlow</a></h4><time datetime="2024-05-02">May 2, 2024</time></div><p class="gh-article-excerpt">How the sea was measured.</p></header>
 <section class="gh-content">${paragraph('gauge')}<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://other.example/"><div>Another page</div></a></figure>
 <div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-text">Mind the gap between the pier and the boat.</div></div>
 ${toggle('<button class="kg-toggle-card-icon"><svg></svg></button>')}${paragraph('float')}</section></article><section class="gh-subscribe"><h3>Sign up for more like this.</h3></section></main>
 <footer>Powered by Ghost</footer></body>`;

describe('a page that was written or exported by', () => {
  it.each([
    ['Blogger', BLOGGER],
    ['Ghost', GHOST],
    ['Medium', MEDIUM],
    ['Notion', NOTION],
  ])('%s has its title, author, date and text', (_name, html) => {
    const page = read(html);

    expect(page).toMatchObject({ title: 'The tide gauge', publishedDay: '2024-05-02' });
    expect(page.authors.map(({ name }) => name)).toEqual(['Ines Marlow']);
    expect(page.text).toContain(prose('gauge'));
    expect(page.text).toContain(prose('book'));
    expect(page.text).toContain(prose('float'));
    expect(page.articleHtml).not.toMatch(/Exported|Canonical|Posted by|Powered|Sign up|Created/u);
  });

  it('Ghost has the headings of its toggles', () => {
    expect(read(GHOST).text).toContain('How it works');
  });

  it('Notion has its notes in the text', () => {
    expect(read(NOTION).text).toContain('Mind the gap between the pier and the boat.');
  });
});

describe('a figure', () => {
  it.each([
    ['a quotation', '<blockquote><p>The sea has no memory.</p></blockquote>', true],
    ['code', '<pre>The sea has no memory.</pre>', true],
    ['a picture', '<img src="/sea.jpg" width="600"><p>The sea has no memory.</p>', false],
  ])('with %s has text if it has no picture', (_what, content, isText) => {
    const { text } = read(
      `<article><h1>The sea</h1>${paragraph('gauge')}<figure>${content}<figcaption>Ines</figcaption></figure>${paragraph('book')}</article>`,
    );

    expect(text.includes('The sea has no memory.')).toBe(isText);
  });
});
