import type { FormError, FormSecrets, Moment } from '../../views.js';
import type { Appearance, AppearanceChoice } from '../appearance/appearance.js';
import type { DoneNotice } from '../done-notice.js';

/** A highlight, with the properties that pages show. */
export interface HighlightCard {
  readonly id: string;
  readonly quote: string;
  readonly note: string;
  readonly made: Moment;
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
  readonly published: Moment | undefined;
  /** The reading time. Empty if the reading time is zero. */
  readonly minutes: string;
  readonly tags: readonly string[];
  readonly isFavorite: boolean;
  readonly isArchived: boolean;
}

/** The message that the page shows if an item has no text. */
interface Missing {
  readonly text: string;
  readonly canTryAgain: boolean;
}

/** The reading position of the user. */
interface Progress {
  readonly fraction: number;
  readonly percent: number;
  readonly paragraph: number | undefined;
}

export interface ArticleViews {
  readonly 'reader/article': FormSecrets & {
    readonly done: DoneNotice | undefined;
    /** The address of this page, to which other pages link back. */
    readonly path: string;
    readonly errors: readonly FormError[];
    readonly preferences: Appearance;
    readonly choices: readonly AppearanceChoice[];
    readonly item: ShownItem;
    readonly lang: string | undefined;
    /** The sanitized HTML of the article. */
    readonly html: string | undefined;
    readonly picture: { readonly src: string; readonly alt: string } | undefined;
    readonly missing: Missing | undefined;
    readonly progress: Progress | undefined;
    /** The reading time of the whole article in minutes. 0 if the item has no text. */
    readonly minutes: number;
    readonly highlights: readonly HighlightCard[];
    /** The values that the user entered in a rejected form. */
    readonly draft: { readonly quote: string; readonly note: string };
    /**
     * The state of the user's e-reader. `unconfirmed` means that the email address of the account is not confirmed.
     * Undefined if this service sends no mail to e-readers.
     */
    readonly eReader: 'known' | 'unconfirmed' | 'unknown' | undefined;
    readonly nextHref: string | undefined;
    readonly previousHref: string | undefined;
  };
  readonly 'reader/highlights': FormSecrets & {
    readonly items: readonly {
      readonly title: string;
      readonly href: string;
      readonly site: string;
      readonly highlights: readonly HighlightCard[];
    }[];
    readonly nextHref: string | undefined;
    readonly isFirstPage: boolean;
  };
}
