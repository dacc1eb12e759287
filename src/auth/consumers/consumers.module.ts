import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';

import { provideRepository } from '../../platform/database/custom-repository.js';
import { ThrottlingModule } from '../../platform/throttling/throttling.module.js';
import { AuthModule } from '../auth.module.js';
import { ApplicationPasswords } from './application-passwords.service.js';
import { CallLimitGuard } from './call-limit.guard.js';
import { Callers } from './callers.js';
import { ClientsService } from './clients.service.js';
import { ConsumerKeyRepository } from './consumer-key.repository.js';
import { ConsumerKeysService } from './consumer-keys.service.js';
import { ExtensionKeyService } from './extension-key.service.js';
import { GrantRepository } from './grant.repository.js';
import { PermissionGuard } from './permission.guard.js';
import { PersonalKeysService } from './personal-keys.service.js';

/**
 * Provides the consumer keys of applications, their permissions, and the access tokens that users have granted to them.
 */
@Module({
  imports: [AuthModule, ThrottlingModule],
  providers: [
    ApplicationPasswords,
    Callers,
    ClientsService,
    ConsumerKeysService,
    ExtensionKeyService,
    PersonalKeysService,
    provideRepository(ConsumerKeyRepository),
    provideRepository(GrantRepository),
    // CallLimitGuard counts calls per user, so PermissionGuard must run first to find the user.
    { provide: APP_GUARD, useClass: PermissionGuard },
    { provide: APP_GUARD, useClass: CallLimitGuard },
  ],
  exports: [
    ApplicationPasswords,
    ClientsService,
    ConsumerKeysService,
    ExtensionKeyService,
    GrantRepository,
    PersonalKeysService,
    ThrottlingModule,
  ],
})
export class ConsumersModule {}
