import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';

import { BodyBudget } from './body-budget.js';
import { DomainErrorFilter } from './domain-error.filter.js';
import { Draining } from './draining.js';

/** Provides the memory limit for request bodies, the graceful shutdown of connections, and the error filter. */
@Global()
@Module({
  providers: [BodyBudget, Draining, { provide: APP_FILTER, useClass: DomainErrorFilter }],
  exports: [BodyBudget, Draining],
})
export class HttpModule {}
