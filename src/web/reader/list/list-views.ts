import type { Passage } from '../../../reading-list/texts/passage.js';
import type { DoneNotice } from '../done-notice.js';
import type { ReaderPage } from '../reader-views.js';
import type { ChoiceLink, Narrowing } from './list-links.js';

/** An item as the list shows it. */
export interface ItemCard {
  readonly id: string;
  readonly title: string;
  readonly site: { readonly name: string; readonly href: string } | undefined;
  /** Undefined for what is no article. */
  readonly minutes: number | undefined;
  readonly tags: readonly TagLink[];
  /** The address of a small picture at this service. */
  readonly thumbnail: string | undefined;
  readonly isFavorite: boolean;
  readonly isArchived: boolean;
  /** How much of it is read, in percent; undefined for what was not begun. */
  readonly progress: number | undefined;
  /** Where its article has what is searched for. */
  readonly passage: Passage | undefined;
}

interface TagLink {
  readonly name: string;
  readonly href: string;
}

/** What the templates of the list show. */
export interface ListViews {
  readonly 'reader/list': ReaderPage & {
    readonly heading: string;
    /** How many items there are, as a sentence, where that is known. */
    readonly total: string | undefined;
    /** The address of this page, to come back to. */
    readonly path: string;
    /** The same items, and those that follow, as a book. */
    readonly epubHref: string;
    readonly states: readonly ChoiceLink[];
    readonly sorts: readonly ChoiceLink[];
    readonly narrowings: readonly Narrowing[];
    readonly searched: string;
    /** What the person should know of the search. */
    readonly searchNotice: string | undefined;
    readonly otherSearch: { readonly href: string; readonly label: string } | undefined;
    /** What a search keeps of the view. */
    readonly keptFields: readonly { readonly name: string; readonly value: string }[];
    readonly items: readonly ItemCard[];
    /** Why there are none. */
    readonly emptyText: string | undefined;
    readonly firstHref: string | undefined;
    readonly previousHref: string | undefined;
    readonly nextHref: string | undefined;
    readonly done: DoneNotice | undefined;
  };
  readonly 'reader/edit-tags': ReaderPage & {
    readonly itemId: string;
    readonly title: string;
    readonly back: string;
    readonly tags: readonly string[];
    readonly suggested: readonly string[];
    /** All tags of the user, where they are few enough to send along. */
    readonly known: readonly string[];
  };
  readonly 'reader/tags': ReaderPage & {
    readonly part: string;
    readonly tags: readonly (TagLink & { readonly count: number })[];
    readonly isCut: boolean;
    readonly untaggedHref: string;
  };
}
