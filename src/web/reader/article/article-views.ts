import type { FormError, FormSecrets, Moment } from '../../views.js';
import type { Appearance, AppearanceChoice } from '../appearance/appearance.js';
import type { DoneNotice } from '../done-notice.js';

/** A highlight as pages show it. */
export interface HighlightCard {
  readonly id: string;
  readonly quote: string;
  readonly note: string;
  readonly made: Moment;
  /** Link to the highlight in the article. Undefined if the article no longer contains it. */
  readonly href: string | undefined;
}

/** The properties of an item that its page shows. */
interface ShownItem {
  readonly id: string;
  readonly title: string;
  /** Undefined if a browser should not open the address. */
  readonly originalHref: string | undefined;
  readonly site: string;
  readonly authors: string;
  readonly published: Moment | undefined;
  /** Empty if the reading time is zero. */
  readonly minutes: string;
  readonly tags: readonly string[];
  readonly isFavorite: boolean;
  readonly isArchived: boolean;
}

/** The message for an item without text. */
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
    /** The address of this page, for links back to it. */
    readonly path: string;
    readonly errors: readonly FormError[];
    readonly preferences: Appearance;
    readonly choices: readonly AppearanceChoice[];
    readonly item: ShownItem;
    readonly lang: string | undefined;
    /** Sanitized HTML. */
    readonly html: string | undefined;
    readonly picture: { readonly src: string; readonly alt: string } | undefined;
    readonly missing: Missing | undefined;
    readonly progress: Progress | undefined;
    /** The reading time of the whole article in minutes. 0 without text. */
    readonly minutes: number;
    readonly highlights: readonly HighlightCard[];
    /** The values from a rejected form. */
    readonly draft: { readonly quote: string; readonly note: string };
    /**
     * Undefined if this service sends nothing to e-readers. `unconfirmed` refers to the email address of the account,
     * not of the e-reader.
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
