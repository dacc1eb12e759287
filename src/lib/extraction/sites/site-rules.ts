import { CHATS } from './chats.js';
import { FORGES } from './forges.js';
import { DISCOURSE, FORUMS } from './forums.js';
import { HACKER_NEWS } from './hacker-news.js';
import { MAIL_ARCHIVES } from './mail-archives.js';
import { MEDIAWIKI } from './mediawiki.js';
import { REDDIT } from './reddit.js';
import type { SiteRule } from './site-rule.js';
import { MASTODON, X, YOUTUBE } from './social.js';
import { STACK_EXCHANGE } from './stack-exchange.js';

/** The rules of all known sites. If several rules match a page, the first one is used. */
export const SITE_RULES: readonly SiteRule[] = [
  ...HACKER_NEWS,
  ...STACK_EXCHANGE,
  ...MEDIAWIKI,
  ...DISCOURSE,
  ...FORUMS,
  ...REDDIT,
  ...FORGES,
  ...YOUTUBE,
  ...X,
  ...MASTODON,
  ...CHATS,
  ...MAIL_ARCHIVES,
];
