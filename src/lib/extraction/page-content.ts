/** The input of extraction: the text of a page and its address. */
export interface PageSource {
  /** The decoded markup. */
  readonly html: string;
  /** The final address after redirects. */
  readonly url: string;
  /**
   * The time of extraction. Publication dates more than a day later are rejected; without it, all dates are accepted.
   */
  readonly readAt?: Date | undefined;
}

/** A `meta` with this name declares that the whole body is the article. */
export const ARTICLE_ITSELF = 'satchel-article';

export interface PageAuthor {
  readonly name: string;
  /** "" if unknown. */
  readonly url: string;
}

export interface PageImage {
  readonly src: string;
  /** In pixels, 0 if unknown. */
  readonly width: number;
  readonly height: number;
  readonly credit: string;
  readonly caption: string;
  /** Starts at 1; the article's HTML contains it as `data-image`. */
  readonly position: number;
}

export interface PageVideo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** The number of the type in the API: media/players.ts. */
  readonly type: number;
  /** The player's own id of the video, "" if unknown. */
  readonly vid: string;
  /** In seconds, 0 if unknown. */
  readonly length: number;
  readonly position: number;
}

/** 0: has none, 1: has some, 2: is one. */
export type MediaFlag = 0 | 1 | 2;

/** The extracted content of a page. Unknown text is "", never missing. */
export interface PageContent {
  readonly title: string;
  readonly excerpt: string;
  /** The article as safe HTML: no scripts, no event handlers, absolute addresses. */
  readonly articleHtml: string;
  /** The article as text, one paragraph per line. */
  readonly text: string;
  readonly wordCount: number;
  /** ISO 639 code of two or three lower-case letters: declared by the page, otherwise guessed from its text. */
  readonly lang: string;
  readonly authors: readonly PageAuthor[];
  readonly images: readonly PageImage[];
  readonly videos: readonly PageVideo[];
  readonly hasImage: MediaFlag;
  readonly hasVideo: MediaFlag;
  readonly topImage: string;
  readonly datePublished: Date | null;
  /** The day as written on the page, in its own time zone: YYYY-MM-DD. */
  readonly publishedDay: string;
  readonly isArticle: boolean;
  readonly isIndex: boolean;
  /** The canonical address that the page declares; "" if it is on another site. */
  readonly canonicalUrl: string;
  readonly site: { readonly name: string; readonly logo: string };
  /** True if the text comes from a fallback instead of the article finder. */
  readonly usedFallback: boolean;
}

/** The result for a page from which nothing could be extracted. */
export const BLANK_PAGE: PageContent = {
  title: '',
  excerpt: '',
  articleHtml: '',
  text: '',
  wordCount: 0,
  lang: '',
  authors: [],
  images: [],
  videos: [],
  hasImage: 0,
  hasVideo: 0,
  topImage: '',
  datePublished: null,
  publishedDay: '',
  isArticle: false,
  isIndex: false,
  canonicalUrl: '',
  site: { name: '', logo: '' },
  usedFallback: true,
};
