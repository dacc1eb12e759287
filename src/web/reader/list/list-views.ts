import type { Passage } from '../../../reading-list/texts/passage.js';
import type { DoneNotice } from '../done-notice.js';
import type { ReaderPage } from '../reader-views.js';
import type { ChoiceLink, Narrowing } from './list-links.js';

/** The properties of an item that the list shows. */
export interface ItemCard {
  readonly id: string;
  readonly title: string;
  readonly site: { readonly name: string; readonly href: string } | undefined;
  /** The reading time in minutes. Undefined if the item is not an article. */
  readonly minutes: number | undefined;
  readonly tags: readonly TagLink[];
  /** The address of a thumbnail, which this service delivers. */
  readonly thumbnail: string | undefined;
  readonly isFavorite: boolean;
  readonly isArchived: boolean;
  /** The reading progress in percent. Undefined if the user has not begun to read. */
  readonly progress: number | undefined;
  /** The passage of the article that matches the search. */
  readonly passage: Passage | undefined;
}

interface TagLink {
  readonly name: string;
  readonly href: string;
}

/** The view models of the list. */
export interface ListViews {
  readonly 'reader/list': ReaderPage & {
    readonly heading: string;
    /** The number of items as text. Undefined if the number is unknown. */
    readonly total: string | undefined;
    /** The address of this page, to which other pages link back. */
    readonly path: string;
    /** The address of a book with the items of this page and all later items of the list. */
    readonly epubHref: string;
    readonly states: readonly ChoiceLink[];
    readonly sorts: readonly ChoiceLink[];
    readonly narrowings: readonly Narrowing[];
    readonly searched: string;
    /** The notice about the search, for example that some articles are not searchable yet. */
    readonly searchNotice: string | undefined;
    readonly otherSearch: { readonly href: string; readonly label: string } | undefined;
    /** The hidden fields of the search form, such as the tag and the order of the current view. */
    readonly keptFields: readonly { readonly name: string; readonly value: string }[];
    readonly items: readonly ItemCard[];
    /** The message that is shown if the page has no items. */
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
    /** All tags of the user. Empty if the user has too many tags to send. */
    readonly known: readonly string[];
  };
  readonly 'reader/tags': ReaderPage & {
    readonly part: string;
    readonly tags: readonly (TagLink & { readonly count: number })[];
    readonly isCut: boolean;
    readonly untaggedHref: string;
  };
}
