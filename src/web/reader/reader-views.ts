import type { FormError, FormSecrets } from '../views.js';
import type { ArticleViews } from './article/article-views.js';
import type { DoneNotice } from './done-notice.js';
import type { ListViews } from './list/list-views.js';

/** The parts of the reader, one of which the navigation marks. */
export type Section = 'list' | 'save' | 'account';

/** What every page of the reader shows to a user. */
export interface ReaderPage extends FormSecrets {
  readonly section: Section;
}

/** What a person has put into the form that saves a page. */
interface SaveFields {
  readonly url: string;
  readonly title: string;
  readonly tags: string;
}

/** What the templates of the reader show. */
export interface ReaderViews extends ArticleViews, ListViews {
  /** Tells whether anyone can create an account. */
  readonly 'reader/welcome': { readonly isOpen: boolean };
  readonly 'reader/offline': object;
  readonly 'reader/save': ReaderPage &
    SaveFields & {
      readonly errors: readonly FormError[];
      /** The address of the link that a person keeps among the bookmarks. */
      readonly bookmarklet: string;
      readonly origin: string;
    };
  readonly 'reader/save-ask': ReaderPage & SaveFields & { readonly email: string };
  readonly 'reader/saved': ReaderPage & {
    /** The address of this page, to come back to. */
    readonly path: string;
    readonly done: DoneNotice | undefined;
    readonly itemId: string;
    readonly title: string;
    readonly url: string;
    readonly site: string;
    /** Separated by commas. */
    readonly tags: string;
    readonly suggestions: readonly string[];
  };
}
