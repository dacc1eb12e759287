import type { Message } from '../../../platform/i18n/message.js';
import type { FormError } from '../../forms.js';
import { Template } from '../../template.js';
import type { AppearanceChoice } from '../appearance/appearance.js';
import type { DoneNotice } from '../done-notice.js';

/** A highlight, with the properties that pages show. */
export interface HighlightCard {
  readonly id: string;
  readonly quote: string;
  readonly note: string;
  readonly createdAt: Date;
  /** The link to the highlight in the article. Undefined if the article no longer contains the highlight. */
  readonly href: string | undefined;
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
}

/** The message that the page shows if an item has no text. */
interface Missing {
  readonly text: Message;
  readonly canTryAgain: boolean;
}

/** The reading position of the user. */
interface Progress {
  readonly fraction: number;
  readonly percent: number;
  readonly paragraph: number | undefined;
}

export interface ArticleModel {
  readonly done: DoneNotice | undefined;
  /** The address of this page, for links from other pages back to it. */
  readonly path: string;
  readonly errors: readonly FormError[];
  readonly choices: readonly AppearanceChoice[];
  readonly item: ShownItem;
  readonly lang: string | undefined;
  /** The sanitized HTML of the article. */
  readonly html: string | undefined;
  readonly picture: { readonly src: string; readonly alt: string } | undefined;
  readonly missing: Missing | undefined;
  readonly progress: Progress | undefined;
  readonly highlights: readonly HighlightCard[];
  /** The values that the user entered in a rejected form. */
  readonly draft: { readonly quote: string; readonly note: string };
  /**
   * The state of the user's e-reader. `unknown` means that the user has not saved the address of an e-reader.
   * `unconfirmed` means that the email address of the account is not confirmed. Undefined if this service sends no mail
   * to e-readers.
   */
  readonly eReader: 'known' | 'unconfirmed' | 'unknown' | undefined;
  readonly nextHref: string | undefined;
  readonly previousHref: string | undefined;
}

export const articleTemplate = new Template<ArticleModel>('reader/article/article', {
  kind: 'reader',
});
