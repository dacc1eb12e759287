import type { SiteRule } from './site-rule.js';

/** Limits for the mails of a thread. */
const MOST = { posts: 100, characters: 200_000 } as const;

/**
 * Site rules for messages in archives of mailing lists: Pipermail (Mailman 2), HyperKitty (Mailman 3), The Mail Archive
 * and public-inbox (lore.kernel.org).
 */
export const MAIL_ARCHIVES: readonly SiteRule[] = [
  {
    name: 'Pipermail',
    // A folder for a period, and the number of a message in six digits.
    address: /\/(?:\d{4}-[A-Z][a-z]+|\d{4}(?:q[1-4])?|Week-of-Mon-\d{8}|\d{8})\/\d{6}\.html$/u,
    // The name of the author stands before the text of the message.
    needs: 'body > b ~ pre',
    title: [{ at: 'body > h1' }],
    authors: [{ at: 'body > b' }],
    published: [{ at: 'body > i' }],
    parts: 'body > pre',
    mail: 'text',
  },
  {
    name: 'HyperKitty',
    sign: 'email-body',
    needs: '.email .email-body',
    title: [{ at: '.page-header .title' }, { at: '.page-header h3' }],
    authors: [{ at: '.email .email-author .name' }, { at: '.email .name' }],
    published: [{ at: '.email .time @title' }, { at: '.email .time [title] @title' }],
    posts: {
      post: '.email',
      body: '.email .email-body',
      author: '.email .name',
      date: '.email .date [title] @title',
      opens: true,
      most: MOST,
    },
    removed: '.quoted-switch, .email-body .attachments',
  },
  {
    name: 'The Mail Archive',
    address: /^(?:www\.)?mail-archive\.com\/[^/]+\/msg\d+\.html$/u,
    needs: '.msgBody',
    title: [{ at: '.msgHead .subject' }],
    authors: [{ at: '.msgHead .sender [itemprop="name"]', pattern: /^(.+?)(?: via .+)?$/u }],
    published: [{ at: '.msgHead .date' }],
    parts: '.msgBody',
    mail: 'text',
  },
  {
    name: 'public-inbox',
    // A list, and the id of a message, which contains "@".
    address: /\/[^/@%]+(?:@|%40)[^/]+\/$/iu,
    sign: 'public inbox',
    needs: 'body > pre',
    title: [{ at: 'body > pre', pattern: /^From: .+? Subject: (.+?) Date: /u }],
    authors: [{ at: 'body > pre', pattern: /^From: "?(.+?)"? </u }],
    published: [{ at: 'body > pre', pattern: /^From: .+? Date: (.+?) \[/u }],
    parts: 'body > pre',
    mail: 'message',
  },
];
