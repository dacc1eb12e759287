import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';

import { RequestPipe } from '../common/parse-request.js';
import { BodyBudget } from './body-budget.js';
import { DomainErrorFilter } from './domain-error.filter.js';
import { Draining } from './draining.js';

/** How every request is read and every error answered. */
@Global()
@Module({
  providers: [
    BodyBudget,
    Draining,
    { provide: APP_FILTER, useClass: DomainErrorFilter },
    { provide: APP_PIPE, useClass: RequestPipe },
  ],
  exports: [BodyBudget, Draining],
})
export class HttpModule {}
