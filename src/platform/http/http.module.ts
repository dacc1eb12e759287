import { Global, Module } from '@nestjs/common';

import { BodyBudget } from './body-budget.js';
import { Draining } from './draining.js';

/** Provides the memory limit for request bodies, and the graceful shutdown of connections. */
@Global()
@Module({
  providers: [BodyBudget, Draining],
  exports: [BodyBudget, Draining],
})
export class HttpModule {}
