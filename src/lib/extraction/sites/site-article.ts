import { type DomDocument, type DomElement, lineOf } from '../dom.js';
import { dateIn } from '../metadata/date-text.js';
import { blocksOf, textLength } from '../text/blocks.js';
import { writeMails } from './mail-text.js';
import type { Post } from './posts.js';
import type { PostsRule, SiteRule } from './site-rule.js';

/** The parts of a page that form its article according to a site rule. */
export interface SiteContent {
  readonly parts: readonly DomElement[];
  readonly posts: readonly Post[];
  /**
   * The text of the article, with one line per paragraph. Empty if `parts` or `posts` contain the
   * article.
   */
  readonly text: string;
  /** The paragraphs of the transcript. */
  readonly transcript: readonly string[];
}

/** The maximum depth at which an article indents replies. Deeper replies get the same indentation. */
const DEEPEST = 8;

/**
 * Creates an element for the article. Moves the elements that the site rule selects and the posts of the page into the
 * new element.
 */
export function articleOf(
  document: DomDocument,
  { parts, posts, text, transcript }: SiteContent,
  rule: SiteRule,
): DomElement {
  const root = document.createElement('div');
  for (const part of parts) {
    appended(document, root, 'div').appendChild(part);
  }
  if (rule.posts) {
    addPosts(document, root, posts, rule.posts);
  }
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    appended(document, root, 'p').textContent = line;
  }
  addTranscript(document, root, transcript, rule);
  if (rule.mail) {
    writeMails(document, root, rule.mail);
  }
  return root;
}

function addTranscript(
  document: DomDocument,
  root: DomElement,
  paragraphs: readonly string[],
  { transcript }: SiteRule,
): void {
  if (paragraphs.length > 0) {
    appended(document, root, 'h2').textContent = transcript?.heading ?? '';
  }
  for (const paragraph of paragraphs) {
    appended(document, root, 'p').textContent = paragraph;
  }
}

/**
 * Returns the elements that are not part of the article: those that the site rule removes, and those that the page
 * hides.
 */
export const removedIn = (root: DomElement, { removed }: SiteRule): Iterable<DomElement> =>
  foundIn(root, '[hidden]', removed);

/**
 * Removes the elements that are not part of the article. Adds the attribute `hidden` to elements that the article shows
 * but that are not part of its text.
 */
export function cleaned(root: DomElement, rule: SiteRule): DomElement {
  const { notText, headline } = rule;
  for (const element of removedIn(root, rule)) {
    element.remove();
  }
  for (const element of foundIn(root, `.${DETAILS}`, notText)) {
    element.setAttribute('hidden', '');
  }
  const title = headline === undefined ? null : root.querySelector(headline);
  if (title && textLength(blocksOf(root)) - lineOf(title).length >= LEAST_BELOW) {
    title.setAttribute('hidden', '');
  }
  return root;
}

/**
 * The minimum number of characters below the title at which the title is not part of the article's
 * text. In a shorter article, such as a post with only a link, the title is part of the text.
 */
const LEAST_BELOW = 40;

const foundIn = (root: DomElement, selector: string, others = ''): Iterable<DomElement> =>
  root.querySelectorAll(others === '' ? selector : `${selector}, ${others}`);

/**
 * The class of the element with the details of a post, such as votes and date. Satchel adds this
 * element after the author's name. It is not part of the article's text.
 */
const DETAILS = 'satchel-post-details';

function addPosts(
  document: DomDocument,
  root: DomElement,
  posts: readonly Post[],
  rule: PostsRule,
): void {
  const byline = rule.areAnswers === true ? 'h3' : 'p';
  const open = [root];
  for (const post of posts) {
    const depth = Math.min(post.depth, open.length, DEEPEST);
    const parent = open[depth] ?? appended(document, open.at(-1) ?? root, 'blockquote');
    open.splice(depth, open.length, parent);
    addPost(document, parent, post, post.isOpening ? undefined : byline);
  }
}

function addPost(
  document: DomDocument,
  parent: DomElement,
  post: Post,
  byline: 'h3' | 'p' | undefined,
): void {
  const section = appended(document, parent, 'div');
  if (byline) {
    addByline(document, section, post, byline);
  }
  for (const body of post.bodies) {
    appended(document, section, 'div').appendChild(body);
  }
}

function addByline(
  document: DomDocument,
  section: DomElement,
  { author, votes, date, isAccepted }: Post,
  name: 'h3' | 'p',
): void {
  const line = appended(document, section, name);
  const day = dateIn(date, { monthFirst: false })?.day ?? '';
  const facts = [votedFor(votes), day, isAccepted ? '✓' : ''].filter((fact) => fact !== '');
  appended(document, line, 'strong').textContent = author.slice(0, LONGEST_NAME);
  const details = appended(document, line, 'span');
  details.setAttribute('class', DETAILS);
  details.textContent = [...(author === '' ? [] : ['']), ...facts].join(' · ');
}

const LONGEST_NAME = 100;
const LONGEST_VOTES = 30;

/**
 * Returns the votes of a post as a text. Adds a symbol to a plain number, because the number alone does not show that
 * it counts votes. Adds no symbol if the site itself shows the votes with other text.
 */
const votedFor = (votes: string): string =>
  /^-?\d+$/u.test(votes) ? `▲ ${votes.slice(0, LONGEST_VOTES)}` : votes.slice(0, LONGEST_VOTES);

function appended(document: DomDocument, parent: DomElement, name: string): DomElement {
  const element = document.createElement(name);
  parent.appendChild(element);
  return element;
}
