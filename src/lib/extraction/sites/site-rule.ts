/**
 * A CSS selector for a field of a page. The value of the field is the text of the selected element. If ` @name` follows
 * the selector, the value is the attribute `name` of the element instead.
 */
export type Spot = string;

/** A place in a page that may contain the value of a field. */
export type FieldSource = (
  | { readonly at: Spot }
  | { readonly meta: string }
  /** The key of a text in the JSON data that the scripts of a page contain. */
  | { readonly data: string }
  | { readonly path: RegExp }
) & {
  /**
   * A pattern for the part of the text that is the value of the field. The first group of the pattern matches this
   * part.
   */
  readonly pattern?: RegExp;
};

/** Describes the places in a page that contain the posts of several people, such as answers or comments. */
export interface PostsRule {
  readonly post: string;
  /** A selector for the elements that contain the text and the pictures of a post. */
  readonly body: string;
  readonly author: Spot;
  readonly date: Spot;
  /** The place that contains the rating of the post, which is a number or a text. */
  readonly votes?: Spot;
  /** A selector for the element that marks an answer as accepted. */
  readonly accepted?: string;
  /**
   * The place of a number that shows the depth of a reply, such as the width of its indentation.
   * `step` is the difference of the number between two levels. Undefined if each reply is nested
   * inside the post that it answers.
   */
  readonly indent?: { readonly at: Spot; readonly step: number };
  /** True if the first post is the main text of the page. The article shows this post without its author's name. */
  readonly opens?: boolean;
  /**
   * A selector for the link from a post to its own address, and a pattern for the id in this
   * address. If the address of the page contains the id of a post, the title, author and date of
   * the page are read from this post.
   */
  readonly own?: { readonly at: string; readonly id: RegExp };
  /**
   * True if all posts except the first post are answers to a question. The article then shows the best answers first,
   * with a heading above each answer.
   */
  readonly areAnswers?: boolean;
  /** The limits for the total of all posts. The first post is not counted if it is the main text of the page. */
  readonly most: { readonly posts: number; readonly characters: number };
}

/**
 * Describes the places in a page that contain the article and its fields. A site rule applies to one site, or to all
 * sites that use one kind of software. The selectors must not depend on siblings (`+`, `~`, `:nth-child`).
 */
export interface SiteRule {
  /** The name of the site, or of the software that runs the site. */
  readonly name: string;
  /** The name of the site for pages that do not declare it themselves. */
  readonly siteName?: string;
  /** A pattern for the host and path of the pages to which the rule applies. */
  readonly address?: RegExp;
  /**
   * A string that the HTML of each page of the site contains. A search for this string quickly excludes most pages of
   * other sites.
   */
  readonly sign?: string;
  /** A selector for an element that the page must contain. Otherwise, the rule does not apply. */
  readonly needs?: string;
  readonly title?: readonly FieldSource[];
  /** The places in a page that may contain the authors. An empty list means that the pages have no author. */
  readonly authors?: readonly FieldSource[];
  readonly published?: readonly FieldSource[];
  /** A selector for the elements of a page that form its article. The article shows them in page order. */
  readonly parts?: string;
  /** Describes the posts of a page, which the article shows after the elements of `parts`. */
  readonly posts?: PostsRule;
  /**
   * The places in a page that may contain the text of the article, with one line per paragraph. They are used only if
   * `parts` and `posts` select nothing on the page.
   */
  readonly text?: readonly FieldSource[];
  /**
   * The segments of a transcript, which the article shows after its text, below a heading: a selector for their texts in
   * a rendered page, and the key of a segment in the JSON of a script.
   */
  readonly transcript?: {
    readonly heading: string;
    readonly at: string;
    readonly key: string;
  };
  /** A selector for elements that are removed from the article. */
  readonly removed?: string;
  /**
   * A selector for the title within the article. The title counts as part of the article's text only if there is little
   * other text.
   */
  readonly headline?: string;
  /**
   * Set if `pre` elements contain mails as plain text: only their text, or whole messages that begin with their headers.
   * Other parts than messages are removed.
   */
  readonly mail?: 'text' | 'message';
  /** A selector for elements that the article shows, but that are not part of its text. */
  readonly notText?: string;
}
