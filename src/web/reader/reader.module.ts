import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';

import { EReaderMailModule } from '../../apis/e-reader-mail/e-reader-mail.module.js';
import { FeedsModule } from '../../apis/feeds/feeds.module.js';
import { ArticlesModule } from '../../articles/articles.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { sessionMiddleware } from '../../auth/session/session.middleware.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { PagesModule } from '../pages.module.js';
import { SharedArticleController } from '../shared/shared-article.controller.js';
import { SharedArticles } from '../shared/shared-articles.js';
import { UnsubscribeController } from '../unsubscribe/unsubscribe.controller.js';
import { WallabagLinksController } from '../wallabag/wallabag-links.controller.js';
import { AppController } from './app.controller.js';
import { AllHighlightsController } from './article/all-highlights.controller.js';
import { ArticleController } from './article/article.controller.js';
import { ArticleFetchController } from './article/article-fetch.controller.js';
import { ArticleMarkdown } from './article/article-markdown.service.js';
import { ArticlePage } from './article/article-page.js';
import { HighlightsController } from './article/highlights.controller.js';
import { Highlights } from './article/highlights.service.js';
import { ItemNoteController } from './article/item-note.controller.js';
import { ItemNotes } from './article/item-notes.service.js';
import { Neighbours } from './article/neighbours.js';
import { SendToEReaderController } from './article/send-to-e-reader.controller.js';
import { ShareItemController } from './article/share-item.controller.js';
import { BooksController } from './books.controller.js';
import { DuplicatesController } from './duplicates/duplicates.controller.js';
import { EditItemController } from './edit/edit-item.controller.js';
import { FirstSteps } from './first-steps/first-steps.service.js';
import { HomeController } from './home/home.controller.js';
import { ItemChanges } from './list/item-changes.js';
import { ListController } from './list/list.controller.js';
import { ListActionsController } from './list/list-actions.controller.js';
import { ListLayoutController } from './list/list-layout.controller.js';
import { ListPages } from './list/list-pages.js';
import { RetryController } from './list/retry.controller.js';
import { TagPagesController } from './list/tags.controller.js';
import { ViewItems } from './list/view-items.js';
import { OfflineController } from './offline/offline.controller.js';
import { OldLinksController } from './old-links.controller.js';
import { SaveController } from './save/save.controller.js';
import { SaveKeys } from './save/save-keys.js';
import { SavePages } from './save/save-pages.js';
import { SavedPage } from './save/saved-page.js';
import { ShareLinksController } from './save/share-links.controller.js';
import { EditListController } from './saved-lists/edit-list.controller.js';
import { EditListPages } from './saved-lists/edit-list-pages.js';
import { FeedUrls } from './saved-lists/feed-urls.js';
import { ListDigestController } from './saved-lists/list-digest.controller.js';
import { ListDigestParts } from './saved-lists/list-digest-part.js';
import { ListRuleController } from './saved-lists/list-rule.controller.js';
import { ListRuleForms } from './saved-lists/list-rule-forms.js';
import { PublicPageForms } from './saved-lists/public-page-forms.js';
import { SavedListsController } from './saved-lists/saved-lists.controller.js';
import { SnapshotsController } from './snapshots/snapshots.controller.js';
import { TagController } from './tags/tag.controller.js';
import { TrashController } from './trash/trash.controller.js';
import { WholeTrash } from './trash/whole-trash.js';
import { SampleArticleController } from './welcome/sample-article.controller.js';

/** Provides the reader: the web pages on which users read their list and its articles. */
@Module({
  imports: [
    ArticlesModule,
    AuthModule,
    EReaderMailModule,
    FeedsModule,
    PagesModule,
    ReadingListModule,
  ],
  controllers: [
    HomeController,
    ListController,
    ListActionsController,
    ListLayoutController,
    TagPagesController,
    TagController,
    SavedListsController,
    EditListController,
    ListRuleController,
    ListDigestController,
    UnsubscribeController,
    RetryController,
    TrashController,
    DuplicatesController,
    ArticleController,
    HighlightsController,
    ItemNoteController,
    SendToEReaderController,
    AllHighlightsController,
    BooksController,
    SaveController,
    AppController,
    OldLinksController,
    ShareLinksController,
    WallabagLinksController,
    OfflineController,
    SampleArticleController,
    EditItemController,
    ArticleFetchController,
    ShareItemController,
    SnapshotsController,
    SharedArticleController,
  ],
  providers: [
    ArticleMarkdown,
    ArticlePage,
    FirstSteps,
    Highlights,
    ItemChanges,
    ItemNotes,
    ListPages,
    Neighbours,
    PublicPageForms,
    ListRuleForms,
    ListDigestParts,
    EditListPages,
    FeedUrls,
    SaveKeys,
    SavePages,
    SavedPage,
    SharedArticles,
    ViewItems,
    WholeTrash,
  ],
})
export class ReaderModule implements NestModule {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(sessionMiddleware(this.config, this.clock))
      .forRoutes(HomeController, '/highlights', '/welcome', '/wallabag/view', '/wallabag/export');
  }
}
