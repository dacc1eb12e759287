import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';

import { AuthModule } from '../auth/auth.module.js';
import { Callers } from './callers.js';
import { ConsumerKeysService } from './consumer-keys.service.js';
import { GrantedApplicationsService } from './granted-applications.service.js';
import { PermissionGuard } from './permission.guard.js';

/** Which application calls, and what may it do? */
@Module({
  imports: [AuthModule],
  providers: [
    Callers,
    ConsumerKeysService,
    GrantedApplicationsService,
    { provide: APP_GUARD, useClass: PermissionGuard },
  ],
  exports: [ConsumerKeysService, GrantedApplicationsService],
})
export class ConsumersModule {}
