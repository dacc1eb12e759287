import { Module } from '@nestjs/common';

import { ResolverModule } from '../../articles/resolver/resolver.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { ConsumersModule } from '../../auth/consumers/consumers.module.js';
import { TransferModule } from '../../transfer/transfer.module.js';
import { PagesModule } from '../pages.module.js';
import { AdminController } from './admin.controller.js';
import { AdminInvitationsController } from './admin-invitations.controller.js';
import { AdminKeysController } from './admin-keys.controller.js';
import { AdminUsersController } from './admin-users.controller.js';

/** Provides the pages for administrators. They offer the same operations as the command line. */
@Module({
  imports: [AuthModule, ConsumersModule, PagesModule, ResolverModule, TransferModule],
  controllers: [
    AdminController,
    AdminInvitationsController,
    AdminKeysController,
    AdminUsersController,
  ],
})
export class AdminModule {}
