import { readFileSync } from 'node:fs';

import { extractPage } from '../extract-page.js';
import type { PageContent } from '../page-content.js';

const read = (name: string, url: string): PageContent =>
  extractPage({ html: readFileSync(`test/fixtures/pages/sites/${name}.html`, 'utf8'), url });
const linesOf = (page: PageContent): string[] => page.text.split('\n');
const namesOf = (page: PageContent): string[] => page.authors.map(({ name }) => name);
const pageOf = (body: string, url: string, head = '<title>A page</title>'): PageContent =>
  extractPage({ html: `<html><head>${head}</head><body>${body}</body></html>`, url });

const HACKER_NEWS = 'https://news.ycombinator.com/item?id=100';

describe('a thread of Hacker News', () => {
  const page = read('hacker-news', HACKER_NEWS);

  it('has the story and its comments, in their order', () => {
    expect(page).toMatchObject({
      title: 'Ask HN: How do you splice old rope?',
      site: { name: 'Hacker News' },
      publishedDay: '2024-05-02',
      authors: [{ name: 'ropewalker', url: 'https://news.ycombinator.com/user?id=ropewalker' }],
    });
    expect(linesOf(page)).toEqual([
      expect.stringMatching(/^I have forty metres/u),
      'tallow',
      'Hemp rots from the inside.',
      'Open a strand before you begin, and smell it.',
      'ropewalker',
      'It smells of tar, so far so good.',
      'marlinspike',
      'A short splice holds; a long one runs through the block.',
    ]);
  });

  it('sets a reply in below what it replies to, with day and name', () => {
    expect(page.articleHtml.replace(/\s*(?:<\/?(?:div|span)>|\n)\s*/gu, '')).toMatch(
      /smell it\.<\/p><blockquote><p><strong>ropewalker<\/strong>· 2024-05-02<\/p>It smells of tar[^<]*<\/blockquote><p><strong>marlinspike/u,
    );
    expect(page.articleHtml).not.toContain('reply?id');
  });

  it('is bounded', () => {
    const row = (at: number): string =>
      `<table><tr class="comtr"><td><div class="commtext">Comment ${at}.</div></td></tr></table>`;
    const rows = Array.from({ length: 900 }, (_, at) => row(at)).join('');
    const long = pageOf(
      `<table class="fatitem"><tr><td><span class="titleline"><a href="/x">Ropes</a></span></td></tr></table>${rows}`,
      HACKER_NEWS,
    );

    expect(long.text.match(/Comment \d+/gu)).toHaveLength(300);
  });

  it('is a list of stories elsewhere', () => {
    const story = (at: number): string =>
      `<tr class="athing"><td><span class="rank">${at}.</span></td><td><span class="titleline"><a href="https://ropes.example/${at}">Story ${at}</a></span></td></tr><tr><td class="subtext">${at} points</td></tr>`;
    const list = pageOf(
      `<table>${[1, 2, 3].map(story).join('')}</table>`,
      'https://news.ycombinator.com/newest',
      '<title>New Links | Hacker News</title>',
    );

    expect(list).toMatchObject({ title: 'New Links', text: 'Story 1\nStory 2\nStory 3' });
  });
});

describe('a question of Stack Exchange', () => {
  const page = read('stack-exchange', 'https://sailing.stackexchange.com/questions/7/x');

  it('has the answer that was accepted, then the best ones, none that was voted down', () => {
    expect(page).toMatchObject({
      title: 'Why does a bowline slip in wet rope?',
      publishedDay: '2023-03-04',
    });
    expect(namesOf(page)).toEqual(['Ines Falk']);
    expect(linesOf(page)).toEqual([
      expect.stringMatching(/^My bowline slipped twice/u),
      'bight, eye, tail',
      'Cato Ruud',
      expect.stringMatching(/^Leave a tail of twelve/u),
      'Bo Lind',
      expect.stringMatching(/^Stiff lines do not close/u),
      'Dag',
      'Buy another line.',
    ]);
  });

  it('has names and votes in small headings', () => {
    expect(page.articleHtml).toContain(
      '<h3 id="part-Cato-Ruud-9-2023-03-06"><strong>Cato Ruud</strong><span> · ▲ 9 · 2023-03-06 · ✓</span></h3>',
    );
    expect(page.articleHtml).toContain('<pre><code>bight, eye, tail</code></pre>');
  });

  it('has five answers at most, and those within the bound', () => {
    const answer = (at: number, words: number): string =>
      `<div class="answer"><div class="js-vote-count">${at}</div><div class="js-post-body"><p>Answer ${at}: ${'rope '.repeat(words)}</p></div></div>`;
    const question = '<div class="question"><div class="js-post-body"><p>How?</p></div></div>';
    const many = [3, 9, 4, 7, 6, 5, 8].map((at) => answer(at, 3)).join('');
    const long = [3, 9, 4].map((at) => answer(at, 4_000)).join('');
    const url = 'https://stackoverflow.com/questions/1/x';

    expect(pageOf(question + many, url).text.match(/Answer \d/gu)).toEqual(
      [9, 8, 7, 6, 5].map((at) => `Answer ${at}`),
    );
    expect(pageOf(question + long, url).text.match(/Answer \d/gu)).toEqual(['Answer 9']);
  });
});

describe('a page of a wiki', () => {
  const page = read('mediawiki', 'https://en.wikipedia.org/wiki/List_of_harbour_lights');

  it('has its lists and tables, and nothing that leads elsewhere', () => {
    expect(page).toMatchObject({ title: 'List of harbour lights', authors: [] });
    expect(linesOf(page)).toEqual([
      'This is a list of harbour lights of the north coast.',
      'A light of height \\(h\\) is seen from \\(3.57\\sqrt{h} < d\\) away.',
      'A',
      'Aalvik Light',
      'Askholm Light',
      'Towers',
      'Tower',
      'Height',
      'Aalvik',
      '21 m',
      'References',
      'Pilot of the North Coast, 1911.',
    ]);
  });

  it('shows its infobox and the marks of references without reading them', () => {
    expect(page.articleHtml).toContain('<th>Coast</th>');
    expect(page.articleHtml).toMatch(/<th>Faro<[^]*Larus/u);
    expect(page.articleHtml).toContain('[1]');
    expect(page.articleHtml).not.toMatch(/edit|\^|Lights of the south|citations|Contents/u);
  });
});

it('has of a category of a wiki what belongs to it', () => {
  const page = pageOf(
    '<div id="mw-content-text"><div class="mw-parser-output"><div class="hatnote">See also ropes.</div></div><div id="mw-pages"><h2>Pages about knots</h2><ul><li><a href="/1">Bowline</a></li><li><a href="/2">Reef knot</a></li></ul></div></div>',
    'https://wiki.example/wiki/Category:Knots',
  );

  expect(linesOf(page)).toEqual(['Pages about knots', 'Bowline', 'Reef knot']);
});

it('reads a page as any other where its rule finds only what goes', () => {
  const rest = '<p>All that is known of knots stands on the pages of the letters from A to Z.</p>';
  const page = pageOf(
    `<div id="mw-content-text"><div class="mw-parser-output"><div class="hatnote">See also ropes.</div></div>${rest}</div>`,
    'https://wiki.example/wiki/Knots',
  );

  expect(page.text).toContain('All that is known of knots');
});

describe('a post with comments', () => {
  it.each([
    ['reddit', ['ines', 'tallow', 'Does it still ring?']],
    ['old-reddit', ['ines']],
  ])('is read of %s', (name, [first = '', ...others]) => {
    const page = read(name, 'https://www.reddit.com/r/ropes/comments/1/x/');

    expect(page).toMatchObject({
      title: 'What is the oldest rope you still use?',
      publishedDay: '2025-01-15',
    });
    expect(namesOf(page)).toEqual(['tallow']);
    expect(linesOf(page)).toEqual([
      'Mine is a halyard of 1974, and it still holds.',
      first,
      "A bell rope from my grandfather's boat.",
      ...others,
    ]);
    expect(page.articleHtml).toMatch(/<strong>ines<\/strong><span> · (?:▲ 7|7 points) · 2025/u);
  });

  it('is read of Mastodon', () => {
    const page = read('mastodon', 'https://sea.example/@ines/1');

    expect(namesOf(page)).toEqual(['Ines Falk']);
    expect(linesOf(page)).toEqual(['Wet rope is heavy. ropes.example/dry', 'Bo', 'So am I.']);
  });

  it('is read of X, of its head where it shows nothing', () => {
    const page = read('x', 'https://x.com/ines/status/1');
    const shown = pageOf(
      '<article data-testid="tweet"><div data-testid="User-Name"><a href="/bo">Bo</a></div><time datetime="2026-05-16T12:00:00Z">1h</time><div data-testid="tweetText">Dry it.</div><div data-testid="like">12</div></article>',
      'https://x.com/bo/status/2',
    );

    expect(page).toMatchObject({
      title: 'Wet rope is heavy. Dry it before you coil it.',
      authors: [{ name: 'Ines Falk', url: '' }],
    });
    expect(linesOf(page)).toEqual(['Wet rope is heavy.', 'Dry it before you coil it.']);
    expect(shown).toMatchObject({ text: 'Dry it.', publishedDay: '2026-05-16' });
    expect(shown.authors).toEqual([{ name: 'Bo', url: 'https://x.com/bo' }]);
  });
});

it('has the title of a link for text where a post has no other', () => {
  const link =
    '<div class="thing link"><a class="title" href="https://ropes.example/">Ropes</a></div>';
  const page = pageOf(`${link}<div class="commentarea"></div>`, 'https://old.reddit.com/r/x/1/');

  expect(page).toMatchObject({ title: 'Ropes', text: 'Ropes' });
});

describe('a video of YouTube', () => {
  const page = read('youtube', 'https://www.youtube.com/watch?v=abcDEF12345');

  it('has the words of its channel, as text', () => {
    expect(page).toMatchObject({
      title: 'How a rope is laid',
      authors: [{ name: 'The Rope Walk', url: '' }],
      publishedDay: '2022-08-09',
      hasVideo: 2,
    });
    expect(page.videos).toEqual([
      expect.objectContaining({ vid: 'abcDEF12345', length: 312, position: 1 }),
    ]);
    expect(linesOf(page)).toEqual([
      'Three strands, one walk.',
      '0:00 Yarn',
      '1:20 "Strand" <b>',
      'More at https://ropes.example/walk',
    ]);
    expect(page.articleHtml).toContain('"Strand" &lt;b&gt;');
  });
});
