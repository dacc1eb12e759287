import { readFileSync } from 'node:fs';

import { extractHead, extractPage } from './extract-page.js';
import type { PageContent } from './page-content.js';

const fixture = (name: string): string => readFileSync(`test/fixtures/pages/${name}.html`, 'utf8');

const extracted = (
  name: string,
  url = 'https://www.courier.example/stories/lighthouse',
): PageContent => extractPage({ html: fixture(name), url });

describe('a page of a newspaper', () => {
  const page = extracted('article');

  it('has the headline, without the name of the site', () => {
    expect(page.title).toBe('The lighthouse that learned to whisper');
    expect(page.site).toEqual({
      name: 'The Harbour Courier',
      logo: 'https://www.courier.example/icons/touch.png',
    });
  });

  it('has its authors in order, with their pages', () => {
    expect(page.authors).toEqual([
      { name: 'Ada Nordin', url: 'https://www.courier.example/people/ada-nordin' },
      { name: 'Jon Vesterby', url: '' },
    ]);
  });

  it('was published when it says, not when it was changed', () => {
    expect(page.datePublished?.toISOString()).toBe('2024-03-10T04:30:00.000Z');
    expect(page.publishedDay).toBe('2024-03-09');
  });

  it('has the text of the article and nothing of what is around it', () => {
    expect(page.text.split('\n')).toEqual([
      expect.stringMatching(/^For a hundred and twelve years/u),
      expect.stringMatching(/^The keepers call it the whisper/u),
      'A voice for the fog',
      expect.stringMatching(/^The idea came from a ferry captain/u),
      expect.stringMatching(/^It is not loud/u),
      expect.stringMatching(/See the list\.$/u),
      expect.stringMatching(/^Both lists will be read out/u),
    ]);
    expect(page.wordCount).toBeGreaterThan(240);
    expect(page.wordCount).toBeLessThan(300);
  });

  it('has its pictures with caption and credit, without counters', () => {
    expect(page.images).toEqual([
      {
        src: 'https://www.courier.example/pictures/lighthouse-800x420.jpg',
        width: 800,
        height: 420,
        caption: 'The north pier before the storm.',
        credit: 'Marit Holm',
        position: expect.any(Number),
      },
      expect.objectContaining({ src: 'https://www.courier.example/pictures/bakery.jpg' }),
    ]);
    expect(page.hasImage).toBe(1);
    expect(page.topImage).toBe('https://www.courier.example/pictures/lighthouse-1200x630.jpg');
  });

  it('has its video with the id of the player', () => {
    expect(page.videos).toEqual([
      expect.objectContaining({
        type: 1,
        vid: 'abcDEF12345',
        width: 560,
        height: 315,
        position: 1,
      }),
    ]);
    expect(page.hasVideo).toBe(1);
  });

  it('has HTML with pictures and players, without scripts, handlers and relative addresses', () => {
    expect(page.articleHtml).toContain(
      '<h2 id="part-A-voice-for-the-fog">A voice for the fog</h2>',
    );
    expect(page.articleHtml).toContain('https://www.courier.example/pictures/bakery.jpg');
    expect(page.articleHtml).toContain('https://www.courier.example/lists/ships');
    expect(page.articleHtml).toContain('<iframe');
    expect(page.articleHtml).not.toMatch(/script>|onclick|="\/|never text/u);
  });

  it('is an English article with an excerpt and an address of its own', () => {
    expect(page).toMatchObject({
      lang: 'en',
      isArticle: true,
      isIndex: false,
      usedFallback: false,
      canonicalUrl: 'https://www.courier.example/stories/the-lighthouse-that-learned-to-whisper',
    });
    expect(page.excerpt).toMatch(/^An old tower on the north pier/u);
  });
});

describe('pages that say little of themselves', () => {
  it('reads author and date off the lines below the headline', () => {
    const page = extracted('bare-blog', 'https://netze.example/');

    expect(page).toMatchObject({ title: 'On mending nets', publishedDay: '2019-05-03' });
    expect(page.authors).toEqual([{ name: 'Greta Sandvik', url: '' }]);
    expect(page.text).toMatch(/^Ein Netz zu flicken/u);
    expect(page.excerpt.length).toBeLessThanOrEqual(401);
  });

  it('counts the words of a language without spaces', () => {
    const page = extracted('japanese');

    expect(page.lang).toBe('ja');
    expect(page.wordCount).toBeGreaterThan(80);
    expect(page.wordCount).toBeLessThan(140);
  });

  it('knows an index', () => {
    expect(extracted('front-page', 'https://www.courier.example/')).toMatchObject({
      title: 'The Harbour Courier',
      isArticle: false,
      isIndex: true,
    });
  });

  it('finds text that waits in a hidden box for a script', () => {
    const page = extracted('streamed');

    expect(page.text).toMatch(/The page is sent in pieces/u);
    expect(page.text).toMatch(/The third paragraph/u);
  });

  it.each(['', ' ', '\0', '<', '<html', '{"a": 1}', '<title>', '<body></body></html>'])(
    'makes a blank page of %j',
    (html) => {
      const page = extractPage({ html, url: 'https://blank.example/' });

      expect(page).toMatchObject({ authors: [], images: [], videos: [], datePublished: null });
    },
  );
});

it('reads a head without the body', () => {
  const page = extractHead({ html: fixture('article'), url: 'https://www.courier.example/x' });

  expect(page).toMatchObject({
    title: 'The lighthouse that learned to whisper',
    publishedDay: '2024-03-09',
    text: '',
    articleHtml: '',
    wordCount: 0,
  });
  expect(page.authors.map(({ name }) => name)).toEqual(['Ada Nordin', 'Jon Vesterby']);
});

it('leaves out nothing of a body that is said to be the article itself', () => {
  const long = `<p>${'The keepers mend their nets, early in the morning. '.repeat(20)}</p>`;
  const parts = `<div class="share">Before</div><div>${long}</div><div><pre>a = 1</pre></div><footer>Behind</footer>`;
  const pageOf = (head: string): string =>
    `<html><head><title>Nets</title>${head}</head><body>${parts}<script>alert(1)</script></body></html>`;
  const url = 'https://nets.example/';

  const whole = extractPage({
    html: pageOf('<meta name="satchel-article" content="body">'),
    url,
  });

  expect(whole.articleHtml).toMatch(/^<div>Before<\/div>.*a = 1.*Behind/su);
  expect(whole.articleHtml).not.toContain('alert');
  expect(whole).toMatchObject({ title: 'Nets', usedFallback: false });
  expect(extractPage({ html: pageOf(''), url }).articleHtml).not.toContain('Behind');
});

describe('a page that is hard to read', () => {
  const sentences = (from: number, count: number): string =>
    Array.from(
      { length: count },
      (_, at) =>
        `<p>Sentence ${from + at} of this page is long enough to be read as prose, and has a comma.</p>`,
    ).join('');
  const pageOf = (body: string, head = ''): PageContent =>
    extractPage({
      html: `<html><head><title>A forum</title>${head}</head><body>${body}</body></html>`,
      url: 'https://forum.example/t/one',
    });

  it('is read from what it shows without scripts, where it shows nothing else', () => {
    const { text } = pageOf(
      `<div id="app"></div><noscript data-path="/t/one">${sentences(1, 6)}</noscript>`,
    );

    expect(text.split('\n')).toHaveLength(6);
    expect(pageOf('<div></div><noscript>You need to enable JavaScript.</noscript>').text).toBe('');
  });

  it('has no request to allow scripts behind its own short text', () => {
    const notice = 'JavaScript is off in this browser, and the harbour map needs it. '.repeat(5);

    expect(
      pageOf(`<p>The gulls of the pier are back.</p><noscript><p>${notice}</p></noscript>`).text,
    ).toBe('The gulls of the pier are back.');
  });

  it.each([
    ['is hidden', `<article hidden>${sentences(1, 9)}</article>`],
    ['fades in', `<div style="display: none"><main>${sentences(1, 9)}</main></div>`],
  ])('is read where its article %s until a script runs', (_name, body) => {
    const { text, articleHtml } = pageOf(`<p>A forum of gulls.</p>${body}`);

    expect(text.match(/Sentence \d/gu)).toHaveLength(9);
    expect(articleHtml).toContain('Sentence 9');
  });

  it('keeps the headline that is all there is', () => {
    expect(pageOf('<main><h1>A forum</h1></main>').articleHtml).toContain('A forum');
  });

  it('has no dialog behind its own short text that waits to be shown', () => {
    const words = sentences(1, 20);
    const dialogs = [
      `<div hidden class="cookies">${words}</div>`,
      `<div hidden role="alertdialog"><h1>We value your privacy</h1><article>${words}</article></div>`,
      `<div hidden><h1>Menu</h1>${words}</div>`,
    ].join('');

    expect(pageOf(`<h1>A forum</h1><p>The gulls of the pier are back.</p>${dialogs}`).text).toBe(
      'The gulls of the pier are back.',
    );
  });

  it('is read in short where thousands of paragraphs stand in a hundred elements', () => {
    const { text, usedFallback } = pageOf(`${'<div>'.repeat(120)}${sentences(1, 4_000)}`);

    expect(usedFallback).toBe(true);
    expect(text.split('\n')).toHaveLength(4_000);
  });

  it.each([
    ['links', '<a href="/somewhere">some words of a link</a> ', 5_000],
    ['pictures', '<img src="/gull.jpg">', 1_000],
    ['frames', '<iframe src="https://www.youtube.com/embed/x"></iframe>', 1_000],
  ])('is read in short where it has more %s than any page', (_name, markup, most) => {
    const text = sentences(1, 6);

    expect(pageOf(text + markup.repeat(most)).usedFallback).toBe(false);
    expect(pageOf(text + markup.repeat(most + 1))).toMatchObject({
      usedFallback: true,
      text: expect.stringContaining('Sentence 6 ') as string,
    });
  });

  it('has a name before its title where a colon belongs to the title', () => {
    const { title } = extractPage({
      html: '<html><head><title>Docker Images: what is in them</title></head><body></body></html>',
      url: 'https://www.docker.example/blog/images',
    });

    expect(title).toBe('Docker Images: what is in them');
  });

  it('is visible whatever variables its styles have', () => {
    expect(pageOf(`<div style="--footer-display: none">${sentences(1, 6)}</div>`).text).toContain(
      'Sentence 6 ',
    );
  });
});

it('keeps words apart that blocks part which no article keeps', () => {
  const paragraph = `<p>${'This is a sentence of an article, and it has some words. '.repeat(8)}</p>`;
  const { articleHtml } = extractPage({
    html: `<article>${paragraph}<div><center>here one</center> <center>two</center></div>${paragraph}</article>`,
    url: 'https://example.com/a',
  });

  expect(articleHtml).toContain('here one two');
});
