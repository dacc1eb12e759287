import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';

import { AuthModule } from '../../auth/auth.module.js';
import { sessionMiddleware } from '../../auth/session/session.middleware.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/config.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { PagesModule } from '../pages.module.js';
import { HomeController } from './home.controller.js';

/** The reader: a user's list and its articles, for a person with a browser. */
@Module({
  imports: [AuthModule, PagesModule, ReadingListModule],
  controllers: [HomeController],
})
export class ReaderModule implements NestModule {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(sessionMiddleware(this.config, this.clock)).forRoutes(HomeController);
  }
}
