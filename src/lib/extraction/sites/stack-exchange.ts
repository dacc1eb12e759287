import type { SiteRule } from './site-rule.js';

/**
 * A site rule for Stack Exchange sites. The article is the question with its accepted answer and the best other
 * answers.
 */
export const STACK_EXCHANGE: readonly SiteRule[] = [
  {
    name: 'Stack Exchange',
    sign: 'js-post-body',
    needs: '.question .js-post-body',
    title: [{ at: '#question-header h1' }],
    authors: [
      { at: '.question [itemprop="author"] a' },
      { at: '.question .owner .user-details a' },
      { at: '.question [itemprop="author"] [itemprop="name"] @content' },
    ],
    posts: {
      post: '.question, .answer',
      body: '.js-post-body',
      author: '.answer .user-details[itemprop="author"] a',
      date: '.answer time[itemprop="dateCreated"] @datetime',
      votes: '.answer .js-vote-count',
      accepted: '.accepted-answer',
      opens: true,
      areAnswers: true,
      most: { posts: 5, characters: 30_000 },
    },
    removed: '.s-notice, .js-post-notice, .snippet-result, .snippet-ctas',
  },
];
