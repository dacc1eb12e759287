import { attribute, type DomElement, eachElement } from '../dom.js';
import { isFilled, spotOf, valueOf } from './fields.js';
import type { PostsRule, Spot } from './site-rule.js';

/** A post of one person on a page, such as a comment or an answer. */
export interface Post {
  readonly author: string;
  readonly date: string;
  readonly votes: string;
  readonly isAccepted: boolean;
  /** The depth of the reply. 0 for a post that is not a reply. */
  readonly depth: number;
  readonly bodies: readonly DomElement[];
  /** True if the post is the main text of the page. The article shows such a post without the author's name. */
  readonly isOpening: boolean;
}

interface OpenPost {
  author: string;
  date: string;
  votes: string;
  isAccepted: boolean;
  depth: number;
  readonly bodies: DomElement[];
  readonly element: DomElement;
}

type Role = (post: OpenPost) => void;

/**
 * Returns the posts of a page in reading order. Omits posts beyond the limits of the site rule, downvoted answers, and
 * posts without content outside the elements in `removed`.
 */
export function postsIn(
  body: DomElement,
  rule: PostsRule,
  own: DomElement | undefined,
  removed: ReadonlySet<DomElement>,
): readonly Post[] {
  const posts = allPosts(body, rule)
    .filter(({ bodies }) => bodies.some((one) => isFilled(one, removed)))
    .map((post, at) => ({ ...post, isOpening: at === 0 && opens(rule, post, own) }));
  const rest = posts.filter(({ isOpening }) => !isOpening);
  return [
    ...posts.filter(({ isOpening }) => isOpening),
    ...bounded(rule.areAnswers === true ? byVotes(rest) : rest, rule.most),
  ];
}

const opens = (rule: PostsRule, { element }: OpenPost, own: DomElement | undefined): boolean =>
  rule.opens === true && (own === undefined || own === element);

/**
 * Returns the element of the post whose id is in the address of the page. Returns undefined if the
 * page contains no link with this id.
 */
export function ownPost(
  body: DomElement,
  { post, own }: PostsRule,
  { pathname }: URL,
): DomElement | undefined {
  const id = own?.id.exec(pathname)?.[1];
  if (own === undefined || id === undefined) {
    return undefined;
  }
  const link = [...body.querySelectorAll(own.at)].find(
    (one) => own.id.exec(attribute(one, 'href'))?.[1] === id,
  );
  return link && around(link, new Set(body.querySelectorAll(post)));
}

/** Returns the innermost element of `elements` that contains `inner`. */
function around(inner: DomElement, elements: ReadonlySet<DomElement>): DomElement | undefined {
  for (let at = inner.parentElement; at; at = at.parentElement) {
    if (elements.has(at)) {
      return at;
    }
  }
  return undefined;
}

/** Collects all posts of a page, including nested posts. Visits each element only once. */
function allPosts(body: DomElement, rule: PostsRule): OpenPost[] {
  const roles = rolesIn(body, rule);
  const starts = new Set(body.querySelectorAll(rule.post));
  const bodies = new Set(body.querySelectorAll(rule.body));
  const posts: OpenPost[] = [];
  const readElement = (element: DomElement, post: OpenPost): boolean => {
    for (const role of roles.get(element) ?? []) {
      role(post);
    }
    if (bodies.has(element)) {
      post.bodies.push(element);
    }
    return !bodies.has(element);
  };
  const read = (parent: DomElement, around: OpenPost | undefined): void => {
    eachElement(parent, (element) => {
      if (!starts.has(element)) {
        return around ? readElement(element, around) : true;
      }
      const post = startedIn(element, around);
      posts.push(post);
      if (readElement(element, post)) {
        read(element, post);
      }
      return false;
    });
  };
  read(body, undefined);
  return posts;
}

const startedIn = (element: DomElement, around: OpenPost | undefined): OpenPost => ({
  element,
  author: '',
  date: '',
  votes: '',
  isAccepted: false,
  depth: around ? around.depth + 1 : 0,
  bodies: [],
});

/**
 * Returns a map whose keys are the elements that contain a field of a post, such as the author or the date. The values
 * are functions that read the field from the element and store it in the post.
 */
function rolesIn(body: DomElement, rule: PostsRule): Map<DomElement, Role[]> {
  const roles = new Map<DomElement, Role[]>();
  const add = (
    spot: Spot | undefined,
    role: (post: OpenPost, value: () => string) => void,
  ): void => {
    const { selector, name } = spotOf(spot ?? '');
    for (const element of selector === '' ? [] : body.querySelectorAll(selector)) {
      const known = roles.get(element) ?? [];
      known.push((post) => {
        role(post, () => valueOf(element, name));
      });
      roles.set(element, known);
    }
  };
  add(rule.author, (post, value) => (post.author ||= value()));
  add(rule.date, (post, value) => (post.date ||= value()));
  add(rule.votes, (post, value) => (post.votes ||= value()));
  add(rule.accepted, (post) => (post.isAccepted = true));
  add(rule.indent?.at, (post, value) => {
    post.depth = Math.round(Number(/^\d{1,6}/u.exec(value())?.[0] ?? 0) / (rule.indent?.step ?? 1));
  });
  return roles;
}

const votesOf = ({ votes }: Post): number => Number(/^-?\d{1,9}/u.exec(votes)?.[0] ?? 0);

/**
 * Returns the answers to a question, the best answers first. Omits answers with negative votes, unless they are
 * accepted.
 */
const byVotes = (posts: readonly Post[]): Post[] =>
  posts
    .filter((post) => post.isAccepted || votesOf(post) >= 0)
    .sort((a, b) => Number(b.isAccepted) - Number(a.isAccepted) || votesOf(b) - votesOf(a));

/** Returns the leading posts that are within the limits of the site rule. Always returns the first post. */
function bounded(posts: readonly Post[], { posts: most, characters }: PostsRule['most']): Post[] {
  let read = 0;
  const kept = posts.slice(0, most);
  const end = kept.findIndex(({ bodies }, index) => {
    read += bodies.reduce((sum, body) => sum + (body.textContent ?? '').length, 0);
    return index > 0 && read > characters;
  });
  return end < 0 ? kept : kept.slice(0, end);
}
