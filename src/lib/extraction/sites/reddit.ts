import type { SiteRule } from './site-rule.js';

const MOST = { posts: 200, characters: 150_000 } as const;

/** Site rules for a Reddit post with its comments, on current and old pages of the site. */
export const REDDIT: readonly SiteRule[] = [
  {
    name: 'Reddit',
    siteName: 'Reddit',
    sign: '<shreddit-post ',
    needs: 'shreddit-post',
    title: [{ at: 'shreddit-post @post-title' }],
    authors: [{ at: 'shreddit-post @author' }],
    published: [{ at: 'shreddit-post @created-timestamp' }],
    parts:
      'shreddit-post [slot="title"], shreddit-post [slot="text-body"], shreddit-post [slot="post-media-container"]',
    headline: '[slot="title"]',
    posts: {
      post: 'shreddit-comment',
      body: 'shreddit-comment [slot="comment"]',
      author: 'shreddit-comment @author',
      date: 'shreddit-comment @created',
      votes: 'shreddit-comment @score',
      indent: { at: 'shreddit-comment @depth', step: 1 },
      most: MOST,
    },
  },
  {
    name: 'Reddit',
    siteName: 'Reddit',
    sign: 'commentarea',
    needs: '.thing.link',
    title: [{ at: '.thing.link a.title' }],
    authors: [{ at: '.thing.link @data-author' }, { at: '.thing.link .author' }],
    published: [{ at: '.thing.link time @datetime' }],
    parts: '.thing.link a.title, .thing.link .usertext-body .md',
    headline: 'a.title',
    posts: {
      post: '.thing.comment',
      body: '.thing.comment .usertext-body .md',
      author: '.thing.comment .tagline .author',
      date: '.thing.comment .tagline time @datetime',
      votes: '.thing.comment .tagline .score.unvoted',
      most: MOST,
    },
  },
];
