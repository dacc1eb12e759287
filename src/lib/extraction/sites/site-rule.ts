/** A text of an element by its selector, or one of its attributes with ` @name` behind it. */
export type Spot = string;

/** Where a field of a page stands. */
export type FieldSource = (
  | { readonly at: Spot }
  | { readonly meta: string }
  /** A string by its name in the data that the page brings for its own scripts. */
  | { readonly data: string }
  | { readonly path: RegExp }
) & {
  /** What of the text it is: the first group. */
  readonly pattern?: RegExp;
};

/** Contributions of several people, such as answers and comments. */
export interface PostsRule {
  readonly post: string;
  /** Its text and pictures, one element or several. */
  readonly body: string;
  readonly author: Spot;
  readonly date: Spot;
  /** How others value it, in their own words or as a number. */
  readonly votes?: Spot;
  /** What marks the answer that the asker took. */
  readonly accepted?: string;
  /** How far a reply is set in where that is a number; otherwise a reply stands in what it replies to. */
  readonly indent?: { readonly at: Spot; readonly step: number };
  /** Whether the first one is by the author of the page and opens it. */
  readonly opens?: boolean;
  /**
   * Where a post links to itself, and what of that address is the page's own: others may stand before the post that the
   * page is about. The fields of the page are then looked for in that one first, and it opens the page where it is the first.
   */
  readonly own?: { readonly at: string; readonly id: RegExp };
  /** Whether the others answer the first: then each has a heading, and the best stand first. */
  readonly areAnswers?: boolean;
  /** Beside the one that opens the page. */
  readonly most: { readonly posts: number; readonly characters: number };
}

/** How one site, or all that run on one engine, write their pages. Selectors need no neighbours: `+`, `~`, `:nth-child`. */
export interface SiteRule {
  /** The site, or the engine of many. */
  readonly name: string;
  /** What such a page calls its site, where it says nothing. */
  readonly siteName?: string;
  /** Host and path. */
  readonly address?: RegExp;
  /** What the markup of such pages has in it: a quick look, for most pages the only one. */
  readonly sign?: string;
  /** An element of such pages. */
  readonly needs?: string;
  readonly title?: readonly FieldSource[];
  /** An empty list: such pages have no author. */
  readonly authors?: readonly FieldSource[];
  readonly published?: readonly FieldSource[];
  /** The elements that make the article, in their order on the page. */
  readonly parts?: string;
  /** Behind them. */
  readonly posts?: PostsRule;
  /** Where none of both is found: a text, a line a paragraph. */
  readonly text?: readonly FieldSource[];
  /** What goes. */
  readonly removed?: string;
  /** The title where it stands in the article too: its text has it only where it has little else. */
  readonly headline?: string;
  /** What the article shows, and its text leaves out. */
  readonly unread?: string;
}
