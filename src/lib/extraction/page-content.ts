/** The input of extraction: the HTML of a page and its address. */
export interface PageSource {
  /** The decoded HTML of the page. */
  readonly html: string;
  /** The final address of the page, after redirects. */
  readonly url: string;
  /**
   * The time of extraction. Publication dates that are more than a day later are rejected. If the time is undefined,
   * all dates are accepted.
   */
  readonly readAt?: Date | undefined;
}

/** The name of a `<meta>` element that declares the whole body as the article. */
export const ARTICLE_ITSELF = 'satchel-article';

export interface PageAuthor {
  readonly name: string;
  /** The address of the author's page. Empty if the address is unknown. */
  readonly url: string;
}

export interface PageImage {
  readonly src: string;
  /** The width in pixels. 0 if the width is unknown. */
  readonly width: number;
  readonly height: number;
  readonly credit: string;
  readonly caption: string;
  /** The number of the picture on the page, from 1. The article's HTML contains it as `data-image`. */
  readonly position: number;
}

export interface PageVideo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** The number of the video type in the API (media/players.ts). */
  readonly type: number;
  /** The id of the video at its player's site. Empty if the id is unknown. */
  readonly vid: string;
  /** The duration in seconds. 0 if the duration is unknown. */
  readonly length: number;
  readonly position: number;
}

/**
 * Describes the pictures or videos of a page. 0: the page has none. 1: the page has some. 2: the page itself is a
 * picture or video.
 */
export type MediaFlag = 0 | 1 | 2;

/** The extracted content of a page. Unknown texts are empty, not undefined. */
export interface PageContent {
  readonly title: string;
  readonly excerpt: string;
  /** The article as safe HTML: no scripts, no event handlers, absolute addresses. */
  readonly articleHtml: string;
  /** The article as text, one paragraph per line. */
  readonly text: string;
  readonly wordCount: number;
  /**
   * The ISO 639 code of the language, in two or three lower-case letters. If the page declares no language, the code is
   * guessed from the text.
   */
  readonly lang: string;
  readonly authors: readonly PageAuthor[];
  readonly images: readonly PageImage[];
  readonly videos: readonly PageVideo[];
  readonly hasImage: MediaFlag;
  readonly hasVideo: MediaFlag;
  readonly topImage: string;
  readonly datePublished: Date | null;
  /** The publication day as written on the page, in the page's own time zone: YYYY-MM-DD. */
  readonly publishedDay: string;
  readonly isArticle: boolean;
  readonly isIndex: boolean;
  /** The canonical address that the page declares. Empty if the address is missing or on another site. */
  readonly canonicalUrl: string;
  readonly site: { readonly name: string; readonly logo: string };
  /** True if the text comes from a fallback instead of the article finder. */
  readonly usedFallback: boolean;
}

/** The content of a page from which nothing could be extracted. */
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
