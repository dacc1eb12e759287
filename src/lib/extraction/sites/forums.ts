import type { SiteRule } from './site-rule.js';

/** Limits for the posts that are read from one page of a forum. Such a page usually has 10 to 50 posts. */
const MOST = { posts: 200, characters: 200_000 } as const;

/**
 * Site rules for topics of Discourse forums. The first rule is for pages that work without scripts, and the second rule
 * for pages that a browser has rendered. The article shows quotations of other posts, but the text of the article omits
 * them, because they repeat posts of the same page.
 */
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
      most: MOST,
    },
    removed: '.lightbox-wrapper .meta',
    notText: '.quote',
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
      most: MOST,
    },
    removed: '.lightbox-wrapper .meta, .quote-controls, .post-menu-area, .cooked-selection-barrier',
    notText: '.quote',
  },
];

/**
 * Site rules for threads in other frequent kinds of forum software: XenForo (also with the skin of
 * VerticalScope), MyBB, phpBB, Invision Community (5 and 4), vBulletin (4 and 3).
 */
export const FORUMS: readonly SiteRule[] = [
  {
    name: 'XenForo',
    sign: 'message--post',
    needs: '.message--post .bbWrapper',
    title: [{ at: '.p-title-value' }],
    authors: [
      { at: '.message--post @data-author' },
      { at: '.message--post .message-name' },
      { at: '.p-description .username' },
    ],
    published: [{ at: '.message--post time @datetime' }],
    posts: {
      post: '.message--post',
      body: '.message-body .bbWrapper',
      author: '.message--post @data-author',
      date: '.message--post time @datetime',
      opens: true,
      most: MOST,
    },
    removed: '.bbCodeBlock-expandLink, .bbCodeBlock-shrinkLink',
    notText: '.bbCodeBlock--quote',
  },
  {
    name: 'XenForo of VerticalScope',
    sign: 'MessageCard',
    needs: '.MessageCard .bbWrapper',
    title: [{ at: '.MessageCard__thread-title' }, { at: 'h1' }],
    authors: [{ at: '.MessageCard__user-info__name' }],
    published: [{ at: '.MessageCard time @datetime' }],
    posts: {
      post: '.MessageCard',
      body: '.MessageCard .message-body .bbWrapper',
      author: '.MessageCard__user-info__name',
      date: '.MessageCard time @datetime',
      opens: true,
      most: MOST,
    },
    removed: '.bbCodeBlock-expandLink, .bbCodeBlock-shrinkLink, .message-signature',
    notText: '.bbCodeBlock--quote',
  },
  {
    name: 'MyBB',
    sign: 'class="post_body',
    needs: '.post .post_body',
    authors: [{ at: '.post .author_information a' }],
    published: [{ at: '.post .post_date' }],
    posts: {
      post: '.post',
      body: '.post_body',
      author: '.author_information a',
      date: '.post_date',
      opens: true,
      most: MOST,
    },
    removed: '.signature',
    notText: '.mycode_quote',
  },
  {
    name: 'phpBB',
    sign: 'class="postbody"',
    needs: '.post .postbody .content',
    title: [{ at: '.topic-title' }],
    authors: [
      { at: '.postbody .author strong' },
      { at: '.postprofile .username' },
      { at: '.postprofile .username-coloured' },
    ],
    published: [{ at: '.postbody .author time @datetime' }],
    posts: {
      post: '.post',
      body: '.postbody .content',
      author: '.postbody .author strong',
      date: '.postbody .author time @datetime',
      opens: true,
      most: MOST,
    },
    removed: '.codebox > p',
    notText: 'blockquote',
  },
  {
    name: 'Invision Community',
    sign: 'ipsEntry__post',
    needs: '.ipsEntry .ipsRichText',
    authors: [{ at: '.ipsEntry .ipsUsername' }],
    published: [{ at: '.ipsEntry time @datetime' }],
    posts: {
      post: '.ipsEntry',
      body: '.ipsEntry__post .ipsRichText',
      author: '.ipsEntry .ipsUsername',
      date: '.ipsEntry time @datetime',
      opens: true,
      most: MOST,
    },
    removed: '.ipsEntry__signature, [data-role="memberSignature"]',
    notText: '.ipsQuote',
  },
  {
    name: 'Invision Community',
    sign: 'cPost_contentWrap',
    needs: '.cPost_contentWrap .ipsType_richText',
    authors: [{ at: '.ipsComment .cAuthorPane_author' }],
    published: [{ at: '.ipsComment time @datetime' }],
    posts: {
      post: '.ipsComment',
      body: '.cPost_contentWrap .ipsType_richText',
      author: '.ipsComment .cAuthorPane_author',
      date: '.ipsComment time @datetime',
      opens: true,
      most: MOST,
    },
    removed: '.ipsEntry__signature, [data-role="memberSignature"]',
    notText: '.ipsQuote',
  },
  {
    name: 'vBulletin',
    sign: 'id="post_message_',
    needs: '[id^="post_message_"]',
    authors: [{ at: '.username' }, { at: '.bigusername' }],
    posts: {
      post: '.postcontainer, .postbitlegacy, table[id^="post"]',
      body: '[id^="post_message_"]',
      author: '.username, .bigusername',
      date: '.postdate .date',
      opens: true,
      most: MOST,
    },
    notText: '.bbcode_quote',
  },
];
