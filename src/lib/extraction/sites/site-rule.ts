/**
 * A selector whose value is the text of the selected element. If ` @name` is appended, the value is the attribute
 * `name` of the element.
 */
export type Spot = string;

/** A place of a page where a field may be found. */
export type FieldSource = (
  | { readonly at: Spot }
  | { readonly meta: string }
  /** The name of a string in the data that the page embeds for its own scripts. */
  | { readonly data: string }
  | { readonly path: RegExp }
) & {
  /** A pattern whose first group is the value of the field. */
  readonly pattern?: RegExp;
};

/** The structure of posts of several people, such as answers and comments. */
export interface PostsRule {
  readonly post: string;
  /** A selector for the elements that contain the text and pictures of a post. */
  readonly body: string;
  readonly author: Spot;
  readonly date: Spot;
  /** The rating of a post, as text or as a number. */
  readonly votes?: Spot;
  /** A selector for the mark of the accepted answer. */
  readonly accepted?: string;
  /** The indentation of a reply as a number. If undefined, each reply is nested in the post that it answers. */
  readonly indent?: { readonly at: Spot; readonly step: number };
  /** True if the first post is by the author of the page and is the page's own text. */
  readonly opens?: boolean;
  /**
   * A selector for the link from a post to its own address, and a pattern for the id in this address. They identify the
   * post that a page is about, even if other posts precede it. The fields of the page are searched first in this post,
   * and it is the page's own text if it is also the first post.
   */
  readonly own?: { readonly at: string; readonly id: RegExp };
  /**
   * True if the other posts are answers to the first post. Each answer then gets a heading, and the best answers are
   * first.
   */
  readonly areAnswers?: boolean;
  /** The limits for all posts except the opening post. */
  readonly most: { readonly posts: number; readonly characters: number };
}

/**
 * The page structure of one site, or of all sites that use one engine. Selectors must not depend on siblings (`+`, `~`,
 * `:nth-child`).
 */
export interface SiteRule {
  /** The name of the site or the engine. */
  readonly name: string;
  /** The name of the site for pages that do not declare a name. */
  readonly siteName?: string;
  /** A pattern for the host and path of a page. */
  readonly address?: RegExp;
  /**
   * A string that the markup of all pages of the site contains. A search for the string quickly excludes most other
   * pages.
   */
  readonly sign?: string;
  /** A selector that must match an element of the page. */
  readonly needs?: string;
  readonly title?: readonly FieldSource[];
  /** The places of the authors. An empty list means that the pages have no author. */
  readonly authors?: readonly FieldSource[];
  readonly published?: readonly FieldSource[];
  /** A selector for the elements of the article, in page order. */
  readonly parts?: string;
  /** The structure of the posts that follow the elements of `parts`. */
  readonly posts?: PostsRule;
  /** The places of the text, one paragraph per line. The text is used only if the page has no parts and no posts. */
  readonly text?: readonly FieldSource[];
  /** A selector for elements to remove from the article. */
  readonly removed?: string;
  /**
   * A selector for the title inside the article. The title is part of the text only if the article has little other
   * text.
   */
  readonly headline?: string;
  /** A selector for elements that the article shows but its text omits. */
  readonly unread?: string;
}
