import type { SiteRule } from './site-rule.js';

/**
 * A site rule for Wikipedia and other MediaWiki sites. Tables and lists are part of the article's text. The pages have
 * no single author.
 */
export const MEDIAWIKI: readonly SiteRule[] = [
  {
    name: 'MediaWiki',
    sign: 'mw-parser-output',
    needs: '#mw-content-text .mw-parser-output',
    title: [{ at: '#firstHeading' }, { at: '.mw-first-heading' }],
    authors: [],
    // On a category page, the list of the pages in the category is outside the article body.
    parts: '#mw-content-text .mw-parser-output, #mw-subcategories, #mw-pages, #mw-category-media',
    removed: [
      '.mw-editsection, .mw-jump-link, .mw-cite-backlink, .mw-empty-elt, .mw-indicators, .printfooter, .catlinks, .noprint',
      '#toc, .toc, .navbox, .navbox-styles, .vertical-navbox, .sidebar, .navigation-not-searchable, .ambox, .ombox, .tmbox, .mbox-small',
      '.sistersitebox, .side-box, .portalbox, .portal-bar, .authority-control, .stub, .metadata, .hatnote, .shortdescription, #coordinates',
    ].join(', '),
    notText: '.infobox, .sinottico, .taxobox, .reference, .thumbcaption, figcaption',
  },
];
