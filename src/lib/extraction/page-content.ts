/** What extraction reads: a page as text, and where it is. */
export interface PageSource {
  /** The markup, decoded. */
  readonly html: string;
  /** The address it came from in the end, after redirects. */
  readonly url: string;
  /** The present moment, after which no page was published; where it is left out, no date is too late. */
  readonly readAt?: Date | undefined;
}

/** A `meta` with this name says that the body is an article and nothing else. */
export const ARTICLE_ITSELF = 'satchel-article';

export interface PageAuthor {
  readonly name: string;
  /** "" when unknown. */
  readonly url: string;
}

export interface PageImage {
  readonly src: string;
  /** In pixels, 0 when unknown. */
  readonly width: number;
  readonly height: number;
  readonly credit: string;
  readonly caption: string;
  /** From 1; the article's HTML names it as `data-image`. */
  readonly position: number;
}

export interface PageVideo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** As the API counts them: media/players.ts. */
  readonly type: number;
  /** The player's own id of the video, "" when it has none. */
  readonly vid: string;
  /** In seconds, 0 when unknown. */
  readonly length: number;
  readonly position: number;
}

/** 0 none, 1 has some, 2 is one. */
export type MediaFlag = 0 | 1 | 2;

/** A page as a reader wants it. Text that is unknown is "", never absent. */
export interface PageContent {
  readonly title: string;
  readonly excerpt: string;
  /** The article, safe to show: no scripts, no handlers, addresses absolute. */
  readonly articleHtml: string;
  /** The article, a line a paragraph. */
  readonly text: string;
  readonly wordCount: number;
  /** Two or three letters of ISO 639, lower case: as the page says, else as its text reads. */
  readonly lang: string;
  readonly authors: readonly PageAuthor[];
  readonly images: readonly PageImage[];
  readonly videos: readonly PageVideo[];
  readonly hasImage: MediaFlag;
  readonly hasVideo: MediaFlag;
  readonly topImage: string;
  readonly datePublished: Date | null;
  /** The day as the page writes it, in its own time zone: YYYY-MM-DD. */
  readonly publishedDay: string;
  readonly isArticle: boolean;
  readonly isIndex: boolean;
  /** What the page says its address is; of its own site only. */
  readonly canonicalUrl: string;
  readonly site: { readonly name: string; readonly logo: string };
  /** The text is not of the article finder, but of what stands in for it. */
  readonly usedFallback: boolean;
}

/** What is known of a page that nothing could be read of. */
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
