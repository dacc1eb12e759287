import type { FormError, FormSecrets, Moment } from '../../views.js';
import type { Appearance, AppearanceChoice } from '../appearance/appearance.js';
import type { DoneNotice } from '../done-notice.js';

/** A passage that the user has marked, as pages show it. */
export interface HighlightCard {
  readonly id: string;
  readonly quote: string;
  readonly note: string;
  readonly made: Moment;
  /** Where it stands in the article; undefined if the article has changed since. */
  readonly href: string | undefined;
}

/** An item as its page shows it. */
interface ShownItem {
  readonly id: string;
  readonly title: string;
  /** Undefined for an address that a browser should not follow. */
  readonly originalHref: string | undefined;
  readonly site: string;
  readonly authors: string;
  readonly published: Moment | undefined;
  /** Empty for what is read in no time. */
  readonly minutes: string;
  readonly tags: readonly string[];
  readonly isFavorite: boolean;
  readonly isArchived: boolean;
}

/** Why there is no text. */
interface Missing {
  readonly text: string;
  readonly canTryAgain: boolean;
}

/** How far the user has read. */
interface Progress {
  readonly fraction: number;
  readonly percent: number;
  readonly paragraph: number | undefined;
}

export interface ArticleViews {
  readonly 'reader/article': FormSecrets & {
    readonly done: DoneNotice | undefined;
    /** The address of this page, to come back to. */
    readonly path: string;
    readonly errors: readonly FormError[];
    readonly preferences: Appearance;
    readonly choices: readonly AppearanceChoice[];
    readonly item: ShownItem;
    readonly lang: string | undefined;
    /** HTML that is safe to show. */
    readonly html: string | undefined;
    readonly picture: { readonly src: string; readonly alt: string } | undefined;
    readonly missing: Missing | undefined;
    readonly progress: Progress | undefined;
    /** Of the whole article; 0 for what has no text. */
    readonly minutes: number;
    readonly highlights: readonly HighlightCard[];
    /** What was typed into a form that was not taken. */
    readonly draft: { readonly quote: string; readonly note: string };
    /** Undefined where nothing is sent to e-readers. Unconfirmed means the address of the account, not of the e-reader. */
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
