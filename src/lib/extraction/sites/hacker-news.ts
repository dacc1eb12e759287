import type { SiteRule } from './site-rule.js';

const ADDRESS = /^news\.ycombinator\.com\//u;

/** Site rules for Hacker News: for a story or question with its comments, and for a list of stories. */
export const HACKER_NEWS: readonly SiteRule[] = [
  {
    name: 'Hacker News',
    siteName: 'Hacker News',
    address: ADDRESS,
    needs: '.fatitem',
    title: [{ at: '.fatitem .titleline a' }],
    authors: [{ at: '.fatitem .hnuser' }],
    published: [{ at: '.fatitem .age @title' }],
    parts: '.fatitem .titleline, .fatitem .toptext, .fatitem .commtext',
    headline: '.titleline',
    posts: {
      post: '.comtr',
      body: '.comtr .commtext',
      author: '.comtr .hnuser',
      date: '.comtr .age @title',
      indent: { at: '.comtr .ind img @width', step: 40 },
      most: { posts: 300, characters: 200_000 },
    },
    removed: '.reply',
  },
  {
    name: 'Hacker News',
    siteName: 'Hacker News',
    address: ADDRESS,
    needs: '.athing .titleline',
    authors: [],
    parts: '.athing .titleline',
  },
];
