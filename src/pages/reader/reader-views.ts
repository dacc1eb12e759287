import type { FormSecrets } from '../views.js';
import type { ArticleViews } from './article/article-views.js';
import type { ListViews } from './list/list-views.js';

/** The parts of the reader, one of which the navigation marks. */
export type Section = 'list' | 'save' | 'account';

/** What every page of the reader shows to a user. */
export interface ReaderPage extends FormSecrets {
  readonly section: Section;
  /** What has just been done, as a sentence. */
  readonly notice?: string | undefined;
}

/** What the templates of the reader show. */
export interface ReaderViews extends ArticleViews, ListViews {
  readonly 'reader/welcome': {
    readonly registerHref: string;
    readonly signInHref: string;
  };
}
