import type { SiteRule } from './site-rule.js';

/** A video: what its channel writes below it is the text. */
export const YOUTUBE: readonly SiteRule[] = [
  {
    name: 'YouTube',
    siteName: 'YouTube',
    address: /^(?:(?:www|m|music)\.)?youtube\.com\/(?:watch$|(?:shorts|live)\/)/u,
    title: [{ meta: 'og:title' }, { meta: 'title' }],
    authors: [{ at: '[itemprop="author"] [itemprop="name"] @content' }, { data: 'author' }],
    published: [{ meta: 'datepublished' }, { meta: 'uploaddate' }, { data: 'publishDate' }],
    text: [{ data: 'shortDescription' }, { meta: 'og:description' }],
  },
];
