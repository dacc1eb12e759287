import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';

import { EReaderMailModule } from '../../apis/e-reader-mail/e-reader-mail.module.js';
import { ArticlesModule } from '../../articles/articles.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { sessionMiddleware } from '../../auth/session/session.middleware.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { PagesModule } from '../pages.module.js';
import { WallabagLinksController } from '../wallabag/wallabag-links.controller.js';
import { AppController } from './app.controller.js';
import { AllHighlightsController } from './article/all-highlights.controller.js';
import { ArticleController } from './article/article.controller.js';
import { ArticleMarkdown } from './article/article-markdown.service.js';
import { ArticlePage } from './article/article-page.js';
import { HighlightsController } from './article/highlights.controller.js';
import { Highlights } from './article/highlights.service.js';
import { Neighbours } from './article/neighbours.js';
import { SendToEReaderController } from './article/send-to-e-reader.controller.js';
import { BooksController } from './books.controller.js';
import { FirstSteps } from './first-steps/first-steps.service.js';
import { HomeController } from './home/home.controller.js';
import { ListController } from './list/list.controller.js';
import { ListActionsController } from './list/list-actions.controller.js';
import { ListPages } from './list/list-pages.js';
import { TagPagesController } from './list/tags.controller.js';
import { OfflineController } from './offline/offline.controller.js';
import { OldLinksController } from './old-links.controller.js';
import { SaveController } from './save/save.controller.js';
import { SaveKeys } from './save/save-keys.js';
import { SavePages } from './save/save-pages.js';
import { SavedPage } from './save/saved-page.js';
import { ShareLinksController } from './save/share-links.controller.js';
import { SampleArticleController } from './welcome/sample-article.controller.js';

/** Provides the reader: the web pages on which users read their list and its articles. */
@Module({
  imports: [ArticlesModule, AuthModule, EReaderMailModule, PagesModule, ReadingListModule],
  controllers: [
    HomeController,
    ListController,
    ListActionsController,
    TagPagesController,
    ArticleController,
    HighlightsController,
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
  ],
  providers: [
    ArticleMarkdown,
    ArticlePage,
    FirstSteps,
    Highlights,
    ListPages,
    Neighbours,
    SaveKeys,
    SavePages,
    SavedPage,
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
