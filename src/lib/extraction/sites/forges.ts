import type { SiteRule } from './site-rule.js';

/** A selector for elements that are not part of the article, such as links beside headings and buttons beside code. */
const REMOVED =
  'a.anchor, .octicon, .zeroclipboard-container, clipboard-copy, .markdown-heading > a, .gl-sr-only, .comment-reactions';
/**
 * Matches the owner of a repository in the path of a page. Does not match the paths of GitHub's own pages, which begin
 * with a fixed word such as `features`.
 */
const OWNER =
  /^\/(?!(?:apps|collections|customer-stories|enterprise|events|features|marketplace|orgs|resources|security|site|solutions|sponsors|topics)\/)([\w-]{1,39})\//u;
/**
 * Matches the path of an issue, a pull request or a discussion, even on a self-hosted server. Does not match the path
 * of a gist. The comments of a gist have the same markup as an issue, but are not part of the article.
 */
const DISCUSSED = /^[^/]+\/[^/]+\/[^/]+\/(?:issues|pull|discussions)\//u;
const MOST = { posts: 100, characters: 150_000 } as const;

/** A selector for the files of a gist. A file is either Markdown or lines of code. */
const GIST = '.file article.markdown-body, .file .js-file-line-container';

/** Returns the rule for a version of GitHub's pages of issues. `text` is the selector of the text inside `issue`. */
const ofIssue = (sign: string, issue: string, text: string): SiteRule => ({
  name: 'GitHub',
  sign,
  needs: `${issue} ${text}`,
  title: [{ at: '[data-testid="issue-title"]' }],
  authors: [{ at: '[data-testid="issue-body-header-author"]' }],
  published: [{ at: `${issue} relative-time @datetime` }],
  posts: {
    post: `${issue}, .react-issue-comment`,
    body: '[data-testid="markdown-body"]',
    author: '.react-issue-comment [data-testid="avatar-link"]',
    date: '.react-issue-comment relative-time @datetime',
    opens: true,
    most: MOST,
  },
  removed: REMOVED,
});

/**
 * Site rules for GitHub, Gitea and GitLab. The rules extract Markdown files, gists, issues and pull requests. The
 * article of an issue or pull request includes the comments.
 */
export const FORGES: readonly SiteRule[] = [
  ofIssue('react-issue-body', '.react-issue-body', '.markdown-body'),
  ofIssue('issue-body-viewer', '[data-testid="issue-body"]', '[data-testid="markdown-body"]'),
  {
    name: 'GitHub',
    address: DISCUSSED,
    sign: 'js-comment-body',
    needs: '.timeline-comment .js-comment-body',
    title: [{ at: 'h1 .js-issue-title' }],
    authors: [{ at: '.timeline-comment .author' }],
    published: [{ at: '.timeline-comment relative-time @datetime' }],
    posts: {
      post: '.timeline-comment, .review-comment',
      body: '.js-comment-body',
      author: '.author',
      date: 'relative-time @datetime',
      opens: true,
      most: MOST,
    },
    removed: REMOVED,
  },
  {
    name: 'GitHub',
    address: /^gist\.github\.com\//u,
    needs: GIST,
    authors: [{ path: OWNER }],
    parts: GIST,
    posts: {
      post: '.timeline-comment',
      body: '.js-comment-body',
      author: '.author',
      date: 'relative-time @datetime',
      most: MOST,
    },
    removed: REMOVED,
  },
  {
    name: 'GitHub',
    address: /^github\.com\//u,
    needs: 'article.markdown-body',
    authors: [{ path: OWNER }],
    parts: 'article.markdown-body',
    removed: REMOVED,
  },
  {
    name: 'Gitea',
    sign: 'file-view',
    needs: '.repository .file-view.markup',
    parts: '.repository .file-view.markup',
    removed: REMOVED,
  },
  {
    name: 'GitLab',
    sign: 'file-content',
    needs: '.file-content.md, .file-content .md',
    parts: '.file-content.md, .file-content .md',
    removed: REMOVED,
  },
];
