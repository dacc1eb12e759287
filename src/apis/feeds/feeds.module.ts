import { Module } from '@nestjs/common';

import { ArticlesModule } from '../../articles/articles.module.js';
import { provideRepository } from '../../platform/database/custom-repository.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { FeedAccessRepository } from './feed-access.repository.js';
import { FeedArticles } from './feed-articles.js';
import { FeedTokens } from './feed-tokens.js';
import { FeedsController } from './feeds.controller.js';
import { FeedsService } from './feeds.service.js';
import { ListFeedsController } from './list-feeds.controller.js';
import { ListFeeds } from './list-feeds.service.js';

/** Serves a user's list to feed readers, at addresses that the user creates and revokes. */
@Module({
  imports: [ArticlesModule, ReadingListModule],
  controllers: [ListFeedsController, FeedsController],
  providers: [
    FeedArticles,
    FeedsService,
    FeedTokens,
    ListFeeds,
    provideRepository(FeedAccessRepository),
  ],
  exports: [FeedsService],
})
export class FeedsModule {}
