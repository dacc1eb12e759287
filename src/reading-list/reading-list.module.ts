import { Module } from '@nestjs/common';

import { AddService } from './add.service.js';
import { GetService } from './get.service.js';
import { AddController } from './http/add.controller.js';
import { GetController } from './http/get.controller.js';
import { SendController } from './http/send.controller.js';
import { StatsController } from './http/stats.controller.js';
import { ListTransactions } from './list-transactions.js';
import { SendService } from './send.service.js';
import { TombstoneSweep } from './tombstone-sweep.js';

/** The product: a person's list, kept by the applications the person uses. */
@Module({
  controllers: [GetController, AddController, SendController, StatsController],
  providers: [GetService, AddService, SendService, ListTransactions, TombstoneSweep],
})
export class ReadingListModule {}
