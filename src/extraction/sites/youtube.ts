import type { SiteRule } from './site-rule.js';

/** A video: what its channel writes below it is the text. */
export const YOUTUBE: readonly SiteRule[] = [
  {
    name: 'YouTube',
    siteName: 'YouTube',
    hosts: /^(?:(?:www|m|music)\.)?youtube\.com$/u,
    title: [{ meta: 'og:title' }, { data: 'title' }],
    authors: [{ at: '[itemprop="author"] [itemprop="name"] @content' }, { data: 'author' }],
    published: [{ meta: 'datepublished' }, { meta: 'uploaddate' }, { data: 'publishDate' }],
    text: [{ data: 'shortDescription' }],
  },
];
