import type { SiteRule } from './site-rule.js';

const MOST = { posts: 200, characters: 200_000 } as const;

/** A topic of a forum on Discourse: as it is sent to programs without scripts, and as a browser shows it. */
export const DISCOURSE: readonly SiteRule[] = [
  {
    name: 'Discourse',
    sign: 'crawler-post',
    needs: '.crawler-post [itemprop="text"]',
    authors: [{ at: '.crawler-post [itemprop="author"] [itemprop="name"]' }],
    published: [{ at: '.crawler-post time @datetime' }],
    posts: {
      post: '.crawler-post',
      body: '.crawler-post .post[itemprop="text"]',
      author: '.crawler-post [itemprop="author"] [itemprop="name"]',
      date: '.crawler-post time @datetime',
      opens: true,
      order: 'page',
      most: MOST,
      heading: false,
    },
    removed: '.meta, .lightbox-wrapper .meta, .quote-controls',
  },
  {
    name: 'Discourse',
    sign: 'topic-post',
    needs: '.topic-post .cooked',
    title: [{ at: '.fancy-title' }, { at: '#topic-title h1' }],
    authors: [{ at: '.topic-post .names .username' }, { at: '.topic-post .names a' }],
    published: [{ at: '.topic-post .relative-date @data-time' }],
    posts: {
      post: '.topic-post',
      body: '.topic-post .cooked',
      author: '.topic-post .names a',
      date: '.topic-post .relative-date @data-time',
      opens: true,
      order: 'page',
      most: MOST,
      heading: false,
    },
    removed: '.lightbox-wrapper .meta, .quote-controls, .post-menu-area, .cooked-selection-barrier',
  },
];
