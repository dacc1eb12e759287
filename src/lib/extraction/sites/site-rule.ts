/** A selector, for the text of its element. With ` @name` appended, it names an attribute of the element. */
export type Spot = string;

/** The place of a field in a page. */
export type FieldSource = (
  | { readonly at: Spot }
  | { readonly meta: string }
  /** A string by its name in the data for the page's own scripts. */
  | { readonly data: string }
  | { readonly path: RegExp }
) & {
  /** The first group is the value of the field. */
  readonly pattern?: RegExp;
};

/** Contributions of several people, such as answers and comments. */
export interface PostsRule {
  readonly post: string;
  /** The elements with the text and pictures of a post. */
  readonly body: string;
  readonly author: Spot;
  readonly date: Spot;
  /** The rating of a post, as text or as a number. */
  readonly votes?: Spot;
  /** The mark of the accepted answer. */
  readonly accepted?: string;
  /** The indentation of a reply, if it is a number. Otherwise, replies are nested in the post that they reply to. */
  readonly indent?: { readonly at: Spot; readonly step: number };
  /** True if the first post is by the author of the page and opens it. */
  readonly opens?: boolean;
  /**
   * The link of a post to itself, and the id in its address. It finds the post that a page is about if other posts
   * precede it. The fields of the page are searched in this post first, and it opens the page if it is the first one.
   */
  readonly own?: { readonly at: string; readonly id: RegExp };
  /** True if the other posts answer the first. Each answer then gets a heading, and the best ones come first. */
  readonly areAnswers?: boolean;
  /** Limits for all posts except the opening one. */
  readonly most: { readonly posts: number; readonly characters: number };
}

/**
 * The page structure of one site, or of all sites on one engine. Selectors do not need siblings (`+`, `~`,
 * `:nth-child`).
 */
export interface SiteRule {
  /** The site or the engine. */
  readonly name: string;
  /** Name of the site for pages that do not declare one. */
  readonly siteName?: string;
  /** Matched against host and path. */
  readonly address?: RegExp;
  /** A string in the markup of such pages. A quick check that rules out most pages. */
  readonly sign?: string;
  /** A selector that such pages match. */
  readonly needs?: string;
  readonly title?: readonly FieldSource[];
  /** An empty list means that such pages have no author. */
  readonly authors?: readonly FieldSource[];
  readonly published?: readonly FieldSource[];
  /** The elements of the article, in page order. */
  readonly parts?: string;
  /** Posts after the parts. */
  readonly posts?: PostsRule;
  /** The text if the page has no parts and posts, one paragraph per line. */
  readonly text?: readonly FieldSource[];
  /** Elements to remove. */
  readonly removed?: string;
  /** The title inside the article. The text only contains it if there is little else. */
  readonly headline?: string;
  /** Elements that the article shows but its text omits. */
  readonly unread?: string;
}
