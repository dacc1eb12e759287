import type { SiteRule } from './site-rule.js';

/**
 * A site rule for shared conversations with an assistant. Each message declares who has written it, and a short
 * question is as much a part of the article as a long answer.
 */
export const CHATS: readonly SiteRule[] = [
  {
    name: 'Conversation',
    sign: 'data-message-author-role',
    needs: '[data-message-author-role]',
    authors: [],
    posts: {
      post: '[data-message-author-role]',
      body: '[data-message-author-role]',
      author: '[data-message-author-role] @data-message-author-role',
      date: '[data-message-author-role] time @datetime',
      most: { posts: 200, characters: 300_000 },
    },
    removed: 'button',
  },
];
