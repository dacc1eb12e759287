import type { FormError, FormSecrets } from '../views.js';
import type { ArticleViews } from './article/article-views.js';
import type { DoneNotice } from './done-notice.js';
import type { ListViews } from './list/list-views.js';

/** The sections of the reader's navigation. */
export type Section = 'list' | 'save' | 'account';

/** The properties that every page of the reader has. */
export interface ReaderPage extends FormSecrets {
  readonly section: Section;
}

/** The values of the form that saves a page. */
interface SaveFields {
  readonly url: string;
  readonly title: string;
  readonly tags: string;
}

/** The view models of the reader. */
export interface ReaderViews extends ArticleViews, ListViews {
  /** The welcome page. `isOpen` is true if anyone may create an account. */
  readonly 'reader/welcome': { readonly isOpen: boolean };
  readonly 'reader/offline': object;
  readonly 'reader/save': ReaderPage &
    SaveFields & {
      readonly errors: readonly FormError[];
      /** The address of the bookmarklet. */
      readonly bookmarklet: string;
      readonly origin: string;
    };
  readonly 'reader/save-ask': ReaderPage & SaveFields & { readonly email: string };
  readonly 'reader/saved': ReaderPage & {
    /** The address of this page, to which other pages link back. */
    readonly path: string;
    readonly done: DoneNotice | undefined;
    readonly itemId: string;
    readonly title: string;
    readonly url: string;
    readonly site: string;
    /** The tags of the item, separated by commas. */
    readonly tags: string;
    readonly suggestions: readonly string[];
  };
}
