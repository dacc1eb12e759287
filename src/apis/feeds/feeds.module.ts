import { Module } from '@nestjs/common';

import { provideRepository } from '../../platform/database/custom-repository.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { FeedAccessRepository } from './feed-access.repository.js';
import { FeedTokens } from './feed-tokens.js';
import { FeedsController } from './feeds.controller.js';
import { FeedsService } from './feeds.service.js';

/** Serves a user's list to feed readers, at addresses that the user creates and revokes. */
@Module({
  imports: [ReadingListModule],
  controllers: [FeedsController],
  providers: [FeedsService, FeedTokens, provideRepository(FeedAccessRepository)],
  exports: [FeedsService],
})
export class FeedsModule {}
