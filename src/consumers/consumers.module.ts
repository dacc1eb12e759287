import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';

import { AuthModule } from '../auth/auth.module.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { CallLimitGuard } from './call-limit.guard.js';
import { Callers } from './callers.js';
import { ConsumerKeysService } from './consumer-keys.service.js';
import { GrantedApplicationsService } from './granted-applications.service.js';
import { PermissionGuard } from './permission.guard.js';

/** Which application calls, and what may it do? */
@Module({
  imports: [AuthModule, ThrottlingModule],
  providers: [
    Callers,
    ConsumerKeysService,
    GrantedApplicationsService,
    // In this order: the second counts those whom the first has found.
    { provide: APP_GUARD, useClass: PermissionGuard },
    { provide: APP_GUARD, useClass: CallLimitGuard },
  ],
  exports: [ConsumerKeysService, GrantedApplicationsService],
})
export class ConsumersModule {}
