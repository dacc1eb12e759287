import { type DomDocument, type DomElement, squeezed, webAddress } from '../dom.js';
import type { Markup } from '../markup/scan-markup.js';
import type { Clues } from '../metadata/clues.js';
import { dateIn } from '../metadata/date-text.js';
import { type Metadata, metadataOf } from '../metadata/metadata.js';
import type { PageAuthor } from '../page-content.js';
import { type Block, blocksOf } from '../text/blocks.js';
import { fieldOf, isFilled } from './fields.js';
import { ownPost, postsIn } from './posts.js';
import { articleOf, cleaned, removedIn, type SiteContent } from './site-article.js';
import type { FieldSource, SiteRule } from './site-rule.js';
import { SITE_RULES } from './site-rules.js';
import { transcriptOf } from './transcript.js';

/** The content of a page to which a site rule applies. */
export interface SitePage {
  /**
   * The metadata of the page. A title, an author or a date that the site rule finds replaces the
   * value from the general rules.
   */
  readonly metadata: Metadata;
  /**
   * Returns a new element with the article that the site rule describes. Moves elements from the page's document into
   * the new element.
   */
  readonly article: () => DomElement;
}

/**
 * Extracts a page with the first site rule that applies to it. Returns undefined if no site rule applies, or if the
 * rule finds no content.
 */
export function sitePageOf(
  { html }: Pick<Markup, 'html'>,
  document: DomDocument,
  clues: Clues,
): SitePage | undefined {
  const rule = SITE_RULES.find((one) => isOf(one, html, document.body, clues));
  const own = rule?.posts && ownPost(document.body, rule.posts, clues.url);
  const content = rule && contentOf(rule, document.body, clues, own);
  return (
    content && {
      metadata: metadataBy(rule, own ?? document.body, clues),
      article: () => cleaned(articleOf(document, content, rule), rule),
    }
  );
}

/** Returns the lines of text in an article that was built by a site rule. Omits headings without text below them. */
export function siteBlocks(article: DomElement): readonly Block[] {
  const blocks = blocksOf(article);
  return blocks.filter((block, at) => !isBare(block, blocks[at + 1]));
}

/**
 * Returns true if a line is a heading without text below it, for example because the section of the heading was
 * removed.
 */
function isBare({ element }: Block, next: Block | undefined): boolean {
  const rank = rankOf(element);
  return (
    rank > 0 && (next === undefined || (rankOf(next.element) > 0 && rankOf(next.element) <= rank))
  );
}

/** Returns the level of a heading, from 1 to 6. Returns 0 for any element that is not a heading. */
const rankOf = ({ localName }: DomElement): number =>
  Number(/^h([1-6])$/u.exec(localName)?.[1] ?? 0);

/** Returns true if a page meets all conditions of a site rule. */
const isOf = (
  { address, sign = '', needs }: SiteRule,
  html: string,
  body: DomElement,
  { url }: Clues,
): boolean =>
  (address?.test(url.hostname + url.pathname) ?? true) &&
  html.includes(sign) &&
  (needs === undefined || body.querySelector(needs) !== null);

function contentOf(
  rule: SiteRule,
  body: DomElement,
  clues: Clues,
  own: DomElement | undefined,
): SiteContent | undefined {
  const removed = new Set(removedIn(body, rule));
  const parts = rule.parts === undefined ? [] : filled(body.querySelectorAll(rule.parts), removed);
  const posts = rule.posts ? postsIn(body, rule.posts, own, removed) : [];
  const isFound = parts.length + posts.length > 0;
  const text = isFound ? '' : fieldOf(rule.text, body, clues).text;
  const transcript = transcriptOf(rule, body, clues);
  return isFound || text !== '' || transcript.length > 0
    ? { parts, posts, text, transcript }
    : undefined;
}

/**
 * Returns the elements of `found` that have content outside the elements in `removed`. Omits an element that is inside
 * another element of `found`.
 */
function filled(found: Iterable<DomElement>, removed: ReadonlySet<DomElement>): DomElement[] {
  const elements = new Set(found);
  return [...elements].filter((element) => {
    let around = element.parentElement;
    while (around && !elements.has(around)) {
      around = around.parentElement;
    }
    return around === null && isFilled(element, removed);
  });
}

function metadataBy(rule: SiteRule, body: DomElement, clues: Clues): Metadata {
  const named = { ...clues, siteName: clues.siteName || (rule.siteName ?? '') };
  const common = metadataOf(named);
  const title = shortened(fieldOf(rule.title, body, clues).text);
  const date = dateIn(fieldOf(rule.published, body, clues).text, { monthFirst: true });
  return {
    ...common,
    title: title || common.title,
    authors: rule.authors ? authorsBy(rule.authors, body, clues) : common.authors,
    ...(date ? { datePublished: date.at, publishedDay: date.day } : {}),
  };
}

const LONGEST_TITLE = 300;
const LONGEST_NAME = 100;

/** Shortens a title. If a post has no title, its site rule uses the whole text of the post as the title. */
const shortened = (text: string): string =>
  text.length <= LONGEST_TITLE ? squeezed(text) : `${squeezed(text.slice(0, LONGEST_TITLE))}…`;

function authorsBy(
  sources: readonly FieldSource[],
  body: DomElement,
  clues: Clues,
): readonly PageAuthor[] {
  const { text, href } = fieldOf(sources, body, clues);
  const name = squeezed(text.slice(0, LONGEST_NAME));
  return name === '' ? [] : [{ name, url: webAddress(href, clues.url.href) }];
}
