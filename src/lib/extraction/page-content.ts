import type { PagesBefore } from './pagination/page-numbers.js';

/** The page to extract: its HTML and its address. */
export interface PageSource {
  /** The HTML of the page as decoded text. */
  readonly html: string;
  /** The address of the page after redirects. */
  readonly url: string;
  /**
   * The current time. Publication dates more than a day after this time are rejected. If this field is undefined, all
   * publication dates are accepted.
   */
  readonly readAt?: Date | undefined;
  /** The pages before a further page of an article. Undefined for the first page. */
  readonly before?: PagesBefore | undefined;
}

/** The name of the `<meta>` element with which a client declares that the whole body is the article. */
export const ARTICLE_ITSELF = 'satchel-article';

export interface PageAuthor {
  readonly name: string;
  /** The address of a page about the author. Empty if it is unknown. */
  readonly url: string;
}

export interface PageImage {
  readonly src: string;
  /** The width of the picture in pixels. 0 if it is unknown. */
  readonly width: number;
  readonly height: number;
  readonly credit: string;
  readonly caption: string;
  /**
   * The number of the picture on the page. The first picture has the number 1. The article's HTML contains the number
   * as `data-image`.
   */
  readonly position: number;
}

export interface PageVideo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** The type of the video as a number. The numbers are defined by the API (media/players.ts). */
  readonly type: number;
  /** The id of the video on the site that hosts the video, such as YouTube. Empty if the id is unknown. */
  readonly vid: string;
  /** The duration of the video in seconds. 0 if it is unknown. */
  readonly length: number;
  readonly position: number;
}

/**
 * Describes the pictures or the videos of a page. 0: the page has none. 1: the page has some. 2:
 * the page itself is a picture or a video.
 */
export type MediaFlag = 0 | 1 | 2;

/** The content that was extracted from a page. Unknown texts are empty strings, not undefined. */
export interface PageContent {
  readonly title: string;
  readonly excerpt: string;
  /**
   * The article as HTML that is safe to show. The HTML contains no scripts and no event handlers, and all addresses are
   * absolute.
   */
  readonly articleHtml: string;
  /** The text of the article, with one line per paragraph. */
  readonly text: string;
  readonly wordCount: number;
  /**
   * The language as an ISO 639 code of two or three lower-case letters. If the page declares no language, the language
   * is guessed from the text.
   */
  readonly lang: string;
  readonly authors: readonly PageAuthor[];
  readonly images: readonly PageImage[];
  readonly videos: readonly PageVideo[];
  readonly hasImage: MediaFlag;
  readonly hasVideo: MediaFlag;
  readonly topImage: string;
  readonly datePublished: Date | null;
  /** The publication day in the time zone of the page, as YYYY-MM-DD. */
  readonly publishedDay: string;
  readonly isArticle: boolean;
  readonly isIndex: boolean;
  /** True if the page shows only a part of its article to users without a login or a subscription. */
  readonly isLoginRequired: boolean;
  /**
   * The canonical address that the page declares. Empty if the page declares none, or declares an address on another
   * site.
   */
  readonly canonicalUrl: string;
  /** The address of the next page of an article on several pages. Empty if there is none. */
  readonly nextPage: string;
  readonly site: { readonly name: string; readonly logo: string };
  /** True if a simpler algorithm selected the article, because Readability found no article or only a part of it. */
  readonly usedFallback: boolean;
}

/** The result for a page from which no content could be extracted. */
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
  isLoginRequired: false,
  canonicalUrl: '',
  nextPage: '',
  site: { name: '', logo: '' },
  usedFallback: true,
};
