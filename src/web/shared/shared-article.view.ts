import { message } from '../../platform/i18n/message.js';
import { messagePage } from '../message-page.js';
import type { ArticleModel, LeadPicture } from '../reader/article/article.view.js';
import { type ShownPage, Template } from '../template.js';

/** The properties of a shared article that visitors without an account see. */
export interface SharedArticleModel {
  readonly item: Pick<ArticleModel['item'], 'title' | 'site' | 'originalHref' | 'minutes'>;
  /** The name of the user who shares the article. */
  readonly sharedBy: string;
  /** The user's note about the page. Empty if there is none, or if the user does not share it. */
  readonly note: string;
  readonly lang: string | undefined;
  /** The sanitized HTML of the article. Undefined if the page has no text. */
  readonly html: string | undefined;
  readonly picture: LeadPicture | undefined;
  readonly isUnlisted: true;
}

const template = new Template<SharedArticleModel>('shared/shared-article', {
  kind: 'shared',
  hasSecretAddress: true,
});

export const sharedArticlePage = (model: SharedArticleModel): ShownPage => template.page(model);

/** Returns the page for all links that show nothing. It does not reveal whether the link has ever worked. */
export const goneArticlePage = (): ShownPage =>
  messagePage.page(
    {
      heading: message('errors.headings.404'),
      text: message('sharedArticle.gone'),
      isUnlisted: true,
    },
    { status: 404, hasSecretAddress: true },
  );
