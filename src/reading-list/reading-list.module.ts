import { Module } from '@nestjs/common';

import { ConsumersModule } from '../consumers/consumers.module.js';
import { AddService } from './add.service.js';
import { GetService } from './get.service.js';
import { AddController } from './http/add.controller.js';
import { GetController } from './http/get.controller.js';
import { GetAnswers } from './http/get-answers.js';
import { GuidController } from './http/guid.controller.js';
import { KeptAnswers } from './http/kept-answers.js';
import { SendController } from './http/send.controller.js';
import { StatsController } from './http/stats.controller.js';
import { SuggestionsController } from './http/suggestions.controller.js';
import { ListTransactions } from './list-transactions.js';
import { PageCursors } from './page-cursors.js';
import { SendService } from './send.service.js';
import { SuggestionsService } from './suggestions.service.js';
import { TombstoneSweep } from './tombstone-sweep.js';

/** The product: a person's list, kept by the applications the person uses. */
@Module({
  imports: [ConsumersModule],
  controllers: [
    GetController,
    AddController,
    SendController,
    StatsController,
    SuggestionsController,
    GuidController,
  ],
  providers: [
    GetService,
    GetAnswers,
    KeptAnswers,
    PageCursors,
    AddService,
    SendService,
    SuggestionsService,
    ListTransactions,
    TombstoneSweep,
  ],
  exports: [ListTransactions],
})
export class ReadingListModule {}
