import type { ShownHeading } from '../../../articles/reading/shown-headings.js';
import type { HighlightColor } from '../../../lib/util/highlight-color.js';
import type { Message } from '../../../platform/i18n/message.js';
import type { SnapshotHead } from '../../../reading-list/snapshots/snapshot.repository.js';
import type { ColorsByName } from '../../../reading-list/tag-colors/tag-colors.service.js';
import type { FormError } from '../../forms.js';
import { Template } from '../../template.js';
import type { AppearanceChoice } from '../appearance/appearance.js';
import type { DoneNotice } from '../done-notice.js';
import type { Neighbour, NextToListen } from './neighbours.js';

/** A highlight, with the properties that pages show. */
export interface HighlightCard {
  readonly id: string;
  readonly quote: string;
  readonly note: string;
  readonly color: HighlightColor;
  readonly createdAt: Date;
  /** The link to the highlight in the article. Undefined if the article no longer contains the highlight. */
  readonly href: string | undefined;
}

/** The source of a quote: the texts that are copied together with the quote. */
export interface QuoteSource {
  readonly title: string;
  /** The authors and the site, such as `J. Doe, example.com`. */
  readonly by: string;
  /** The address of the original page. Undefined if a browser should not open the address. */
  readonly url: string | undefined;
}

/** The properties of an item that the article page shows. */
interface ShownItem {
  readonly id: string;
  readonly title: string;
  /** The link to the original page. Undefined if a browser should not open the address. */
  readonly originalHref: string | undefined;
  readonly site: string;
  readonly authors: string;
  readonly published: Date | undefined;
  /** The reading time. */
  readonly minutes: number;
  readonly tags: readonly string[];
  readonly isFavorite: boolean;
  readonly isArchived: boolean;
  /** The time since which the page is gone from the web. Undefined if it exists, or if it was never checked. */
  readonly goneSince: Date | undefined;
}

/** The message that the page shows if an item has no text. */
interface Missing {
  readonly text: Message;
  readonly canTryAgain: boolean;
  /** True if the browser extension may save the text of the page. */
  readonly canSave: boolean;
}

/** The picture above the text. */
export interface LeadPicture {
  readonly src: string;
  readonly alt: string;
  /** The size in pixels, so that the browser keeps the place of the picture. Undefined if the page declares no size. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** The reading position of the user. */
interface Progress {
  readonly fraction: number;
  readonly percent: number;
  readonly paragraph: number | undefined;
}

/** The public link of the article. */
export interface SharedLink {
  readonly url: string;
  readonly expiresAt: Date | undefined;
  readonly includesNote: boolean;
}

interface HighlightDraft {
  readonly quote: string;
  readonly note: string;
  readonly color: string;
}

/** A rejected form of the article page, with its errors and the values that the user entered. */
export type RefusedForm = { readonly errors: readonly FormError[] } & (
  | { readonly form: 'highlight'; readonly draft: HighlightDraft }
  | { readonly form: 'note'; readonly draft: { readonly note: string } }
);

export interface ArticleModel {
  readonly done: DoneNotice | undefined;
  /** The address of this page, for links from other pages back to it. */
  readonly path: string;
  /** The query of the address of this page. It is empty, or contains the page of the list that the actions return to. */
  readonly query: string;
  /** The address of the page of the list from which the user has opened the article. */
  readonly backHref: string;
  readonly choices: readonly AppearanceChoice[];
  readonly item: ShownItem;
  readonly tagColors: ColorsByName;
  readonly lang: string | undefined;
  /** The sanitized HTML of the article. */
  readonly html: string | undefined;
  /** The number of pictures of the article that are not shown. */
  readonly omittedPictures: number;
  /** The headings of the article. Empty for an article with less than three headings. */
  readonly contents: readonly ShownHeading[];
  readonly picture: LeadPicture | undefined;
  readonly missing: Missing | undefined;
  /** The snapshots of the page, the latest first. */
  readonly snapshots: readonly Pick<SnapshotHead, 'snapshotId' | 'createdAt'>[];
  readonly progress: Progress | undefined;
  readonly highlights: readonly HighlightCard[];
  readonly colors: readonly HighlightColor[];
  readonly source: QuoteSource;
  /** The user's note about the page. Empty if there is none. */
  readonly itemNote: string;
  /** The public link of the article. Undefined if the user does not share the article. */
  readonly shared: SharedLink | undefined;
  /** The rejected form, with the values that the user entered. Undefined if no form was rejected. */
  readonly refused: RefusedForm | undefined;
  /**
   * The state of the user's e-reader. `unknown` means that the user has not saved the address of an e-reader.
   * `unconfirmed` means that the email address of the account is not confirmed. Undefined if this service sends no mail
   * to e-readers.
   */
  readonly eReader: 'known' | 'unconfirmed' | 'unknown' | undefined;
  readonly nextArticle: Neighbour | undefined;
  readonly nextToListen: NextToListen | undefined;
  readonly previousArticle: Neighbour | undefined;
}

export const articleTemplate = new Template<ArticleModel>('reader/article/article', {
  kind: 'article',
});
