import type { SiteRule } from './site-rule.js';

/**
 * A site rule for videos on YouTube. The article is the description below the video, and the transcript if the page
 * contains it.
 */
export const YOUTUBE: readonly SiteRule[] = [
  {
    name: 'YouTube',
    siteName: 'YouTube',
    address: /^(?:(?:www|m|music)\.)?youtube\.com\/(?:watch$|(?:shorts|live)\/)/u,
    title: [{ meta: 'og:title' }, { meta: 'title' }],
    authors: [{ at: '[itemprop="author"] [itemprop="name"] @content' }, { data: 'author' }],
    published: [{ meta: 'datepublished' }, { meta: 'uploaddate' }, { data: 'publishDate' }],
    text: [{ data: 'shortDescription' }, { meta: 'og:description' }],
    transcript: {
      heading: 'Transcript',
      at: 'ytd-transcript-segment-renderer .segment-text',
      key: 'transcriptSegmentRenderer',
    },
  },
];

const MOST = { posts: 100, characters: 100_000 } as const;
/**
 * Matches the title of a page with a post on X: `Jane Doe on X: "What she says" / X`. A number of unread notifications
 * may precede the title.
 */
const ON_X = /^(?:\(\d+\+?\) )?(.{1,100}?) on (?:X|Twitter): /u;
const SAID_ON_X = / on (?:X|Twitter): ["“]([^]{1,4000})["”](?: \/ (?:X|Twitter))?$/u;
/**
 * Matches the path of a post on X, and captures the user name of its author. Does not match paths that begin with
 * `/i/`, because they contain no user name.
 */
const HANDLE = /^\/(?!i\/)([A-Za-z0-9_]{1,15})\/status\//u;

/**
 * Site rules for X. The first rule extracts long articles. The second rule extracts posts: with replies if a browser
 * has rendered the page, and otherwise from the head of the page.
 */
export const X: readonly SiteRule[] = [
  {
    name: 'X',
    siteName: 'X',
    sign: 'twitterArticleRichTextView',
    needs: '[data-testid="twitterArticleRichTextView"]',
    title: [{ at: '[data-testid="twitter-article-title"]' }],
    authors: [
      { at: '[itemprop="author"] [itemprop="name"] @content' },
      { at: '[data-testid="User-Name"] a' },
      { path: HANDLE },
    ],
    parts: '[data-testid="twitterArticleRichTextView"]',
    removed: '[data-testid="twitter-article-title"]',
  },
  {
    name: 'X',
    siteName: 'X',
    address: /^(?:www\.|mobile\.)?(?:x|twitter)\.com\/(?:i\/web|\w+)\/status\//u,
    title: [
      { at: '[data-testid="tweet"] [data-testid="tweetText"]' },
      { meta: 'og:title', pattern: SAID_ON_X },
      { meta: 'og:description' },
    ],
    authors: [
      { at: '[data-testid="tweet"] [data-testid="User-Name"] a' },
      { meta: 'og:title', pattern: ON_X },
      { path: HANDLE },
    ],
    published: [{ at: '[data-testid="tweet"] time @datetime' }],
    posts: {
      post: '[data-testid="tweet"]',
      body: '[data-testid="tweetText"], [data-testid="tweetPhoto"]',
      author: '[data-testid="User-Name"] a',
      date: 'time @datetime',
      opens: true,
      own: { at: 'a[href*="/status/"]', id: /\/status\/(\d+)(?:\/(?:photo|video)\/\d+)?\/?$/u },
      most: MOST,
    },
    text: [
      { meta: 'og:title', pattern: SAID_ON_X },
      { meta: 'og:description', pattern: /^["“]?([^]{1,4000}?)["”]?$/u },
    ],
  },
];

/**
 * Site rules for Mastodon. The first rule extracts a post with replies if a browser has rendered the page. The second
 * rule extracts a post from the head of the page.
 */
export const MASTODON: readonly SiteRule[] = [
  {
    name: 'Mastodon',
    sign: 'detailed-status__wrapper',
    needs: '.detailed-status .status__content',
    authors: [{ at: '.detailed-status .display-name__html' }],
    published: [{ meta: 'og:published_time' }],
    parts: '.detailed-status .status__content, .detailed-status .media-gallery',
    posts: {
      post: '.status',
      body: '.status .status__content, .status .media-gallery',
      author: '.status .display-name__html',
      date: '.status time @datetime',
      most: MOST,
    },
    removed: '.invisible',
  },
  {
    name: 'Mastodon',
    address: /^[^/]+\/@[\w.@-]+\/\d+$/u,
    sign: 'id="mastodon"',
    title: [{ meta: 'og:description' }],
    authors: [{ meta: 'og:title', pattern: /^(.{1,100}?) \(@/u }],
    published: [{ meta: 'og:published_time' }],
    text: [{ meta: 'og:description' }],
  },
];
