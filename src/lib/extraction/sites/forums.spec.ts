import { readFileSync } from 'node:fs';

import { extractPage } from '../extract-page.js';

const URL = 'https://forum.example/t/coiling/5';
const lines = (html: string): string[] => extractPage({ html, url: URL }).text.split('\n');

it('reads a topic of Discourse, which stands in its noscript', () => {
  const html = readFileSync('test/fixtures/pages/sites/discourse.html', 'utf8');
  const page = extractPage({ html, url: URL });

  expect(page).toMatchObject({ title: 'Coiling against the sun', publishedDay: '2024-09-01' });
  expect(page.authors.map(({ name }) => name)).toEqual(['ines']);
  expect(lines(html)).toEqual([
    'Why are three-strand ropes coiled with the sun, and braided ones in eights?',
    'bo',
    'A laid rope has a twist of its own, which a coil the other way adds to.',
  ]);
  expect(page.articleHtml).toContain('<blockquote>');
});

/** Builds a post from its author, day, quote and text. */
type Written = (author: string, day: string, quote: string, text: string) => string;

const ENGINES: readonly (readonly [string, Written])[] = [
  [
    'Discourse in a browser',
    (author, day, quote, text) =>
      `<div class="topic-post"><div class="names"><span class="username"><a href="/u/${author}">${author}</a></span></div><span class="relative-date" data-time="${Date.parse(day)}">1y</span><div class="cooked"><aside class="quote">${quote}</aside><p>${text}</p></div><nav class="post-controls">Like</nav></div>`,
  ],
  [
    'XenForo',
    (author, day, quote, text) =>
      `<article class="message message--post" data-author="${author}"><h4>${author}, rigger, 512 posts</h4><time class="u-dt" datetime="${day}T10:00:00Z">then</time><div class="message-body"><div class="bbWrapper"><blockquote class="bbCodeBlock bbCodeBlock--quote">${quote}<a class="bbCodeBlock-expandLink">Click to expand...</a></blockquote>${text}</div></div><aside class="message-signature"><div class="bbWrapper">Sail on.</div></aside></article>`,
  ],
  [
    'phpBB',
    (author, day, quote, text) =>
      `<div class="post bg1"><dl class="postprofile"><dt>${author}</dt><dd>Posts: 512</dd></dl><div class="postbody"><h3>Re: Coiling</h3><p class="author">by <strong><a class="username">${author}</a></strong> » <time datetime="${day}T10:00:00+00:00">then</time></p><div class="content"><blockquote>${quote}</blockquote>${text}</div><div class="signature">Sail on.</div></div></div>`,
  ],
  [
    'Invision Community 5',
    (author, day, quote, text) =>
      `<article class="ipsEntry"><h3><a class="ipsUsername">${author}</a></h3><time datetime="${day}T10:00:00Z">then</time><div class="ipsEntry__post"><div class="ipsRichText"><blockquote class="ipsQuote">${quote}</blockquote><p>${text}</p></div></div><div class="ipsEntry__footer">Quote</div></article>`,
  ],
  [
    'Invision Community 4',
    (author, day, quote, text) =>
      `<article class="ipsComment"><h3 class="cAuthorPane_author">${author}</h3><time datetime="${day}T10:00:00Z">then</time><div class="cPost_contentWrap"><div class="ipsType_normal ipsType_richText"><blockquote class="ipsQuote">${quote}</blockquote><p>${text}</p></div></div><ul><li>Quote</li></ul></article>`,
  ],
  [
    'vBulletin',
    (author, _day, quote, text) =>
      `<li class="postbitlegacy postcontainer"><div class="username_container"><a class="username"><strong>${author}</strong></a> Posts 512</div><div id="post_message_${text.length}"><blockquote class="postcontent"><div class="bbcode_quote">${quote}</div>${text}</blockquote></div><div class="postfoot">Reply</div></li>`,
  ],
];

it.each(ENGINES)('reads a thread of %s, and a quote once', (_name, written) => {
  const page = extractPage({
    html: `<html><head><title>Coiling - The Rope Forum</title></head><body>${written('ines', '2024-09-01', 'before', 'Why with the sun?')}${written('bo', '2024-09-02', 'Why with the sun?', 'A laid rope has a twist of its own.')}</body></html>`,
    url: URL,
  });

  expect(page.authors.map(({ name }) => name)).toEqual(['ines']);
  expect(page.text.split('\n')).toEqual([
    'Why with the sun?',
    'bo',
    'A laid rope has a twist of its own.',
  ]);
  expect(page.articleHtml.match(/Why with the sun\?/gu)).toHaveLength(2);
});

describe('a page that is not as its site writes them', () => {
  const prose = `<p>${'The keepers mend their nets, early in the morning. '.repeat(20)}</p>`;

  it.each([
    [
      'another address',
      '<table class="fatitem"><tr><td><span class="titleline"><a>T</a></span></td></tr></table>',
    ],
    ['no posts', '<div class="crawler-post"><i itemprop="text"></i></div>'],
    ['an empty wiki', '<div id="mw-content-text"><div class="mw-parser-output"></div></div>'],
    ['the words of a sign', '<p>mw-parser-output file-view js-post-body message--post</p>'],
  ])('is read as any other: %s', (_name, markup) => {
    expect(
      lines(
        `<html><head><title>Nets</title></head><body>${markup}<article>${prose}</article></body></html>`,
      ).at(-1),
    ).toMatch(/^The keepers mend/u);
  });

  it('keeps names and titles as text', () => {
    const page = extractPage({
      html: '<html><head><title>x</title></head><body><shreddit-post post-title="A &lt;img src=x onerror=alert(1)&gt;" author="&lt;script&gt;"><div slot="text-body"><p>Rope.</p></div></shreddit-post><shreddit-comment author="&lt;b onclick=x&gt;"><div slot="comment"><p>Yes.</p></div></shreddit-comment></body></html>',
      url: 'https://www.reddit.com/r/ropes/comments/1/x/',
    });

    expect(page.title).toBe('A <img src=x onerror=alert(1)>');
    expect(page.articleHtml).toContain('<strong>&lt;b onclick=x&gt;</strong>');
    expect(page.articleHtml).not.toMatch(/<script|<b |<img/u);
  });
});
