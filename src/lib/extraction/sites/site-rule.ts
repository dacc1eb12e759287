/**
 * A CSS selector for a value in a page: the text of the selected element. With ` @name` at the end, the value is the
 * attribute `name` of the element.
 */
export type Spot = string;

/** A place in a page that may contain the value of a field. */
export type FieldSource = (
  | { readonly at: Spot }
  | { readonly meta: string }
  /** The name of a string in the scripts of a page that contain its data. */
  | { readonly data: string }
  | { readonly path: RegExp }
) & {
  /**
   * A pattern for the part of the text that is the value of the field. The first group of the pattern matches this
   * part.
   */
  readonly pattern?: RegExp;
};

/** Describes how a page contains the posts of several people, such as answers or comments. */
export interface PostsRule {
  readonly post: string;
  /** A selector for those elements of a post that contain its text and pictures. */
  readonly body: string;
  readonly author: Spot;
  readonly date: Spot;
  /** The rating of the post, as a number or a text. */
  readonly votes?: Spot;
  /** A selector for the element that marks an answer as accepted. */
  readonly accepted?: string;
  /**
   * The indentation from which the depth of a reply is computed. Undefined if each reply is an element inside the post
   * that it answers.
   */
  readonly indent?: { readonly at: Spot; readonly step: number };
  /** True if the first post of the page is its main text, so that its author is the author of the page. */
  readonly opens?: boolean;
  /**
   * A selector for the link from a post to its own address, and a pattern for the id in this address. With them, the
   * post that a page is about can be found, even if other posts precede it. The fields of the page are read from this
   * post first.
   */
  readonly own?: { readonly at: string; readonly id: RegExp };
  /**
   * True if all posts except the first one are answers to a question. The article shows a heading above each answer,
   * and the best answers first.
   */
  readonly areAnswers?: boolean;
  /** The limits for all posts together, not counting the opening post. */
  readonly most: { readonly posts: number; readonly characters: number };
}

/**
 * A site rule: it describes where the pages of one site, or of one kind of software, contain the article and its
 * fields. Its selectors must not depend on siblings (`+`, `~`, `:nth-child`).
 */
export interface SiteRule {
  /** The name of the site, or of the software that runs the site. */
  readonly name: string;
  /** The name of the site for pages that do not declare it themselves. */
  readonly siteName?: string;
  /** A pattern for the host and path of the pages to which the rule applies. */
  readonly address?: RegExp;
  /**
   * A string that the HTML of each page of the site contains. Searching for this string excludes most other pages
   * quickly.
   */
  readonly sign?: string;
  /** A selector that must match an element of the page for the rule to apply. */
  readonly needs?: string;
  readonly title?: readonly FieldSource[];
  /** The places in a page that may contain the authors. An empty list means that the pages have no author. */
  readonly authors?: readonly FieldSource[];
  readonly published?: readonly FieldSource[];
  /** A selector for those elements of a page that form its article, in page order. */
  readonly parts?: string;
  /** Describes the posts of a page, which the article shows after the elements of `parts`. */
  readonly posts?: PostsRule;
  /**
   * The places in a page that may contain the text of the article, with one line per paragraph. They are used only if
   * the page has no matching elements and no posts.
   */
  readonly text?: readonly FieldSource[];
  /** A selector for elements that are removed from the article. */
  readonly removed?: string;
  /**
   * A selector for the title within the article. The title counts as part of the article's text only if there is little
   * other text.
   */
  readonly headline?: string;
  /** A selector for elements that the article shows, but that are not part of its text. */
  readonly unread?: string;
}
