import { Module } from '@nestjs/common';

import { ResolverModule } from '../../articles/resolver/resolver.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { ConsumersModule } from '../../auth/consumers/consumers.module.js';
import { TransferModule } from '../../transfer/transfer.module.js';
import { PagesModule } from '../pages.module.js';
import { AdminAuditController } from './audit/audit.controller.js';
import { AdminInvitationsController } from './invitations/invitations.controller.js';
import { AdminKeysController } from './keys/keys.controller.js';
import { AdminController } from './overview/overview.controller.js';
import { AdminUsersController } from './users/users.controller.js';

/** Provides the pages for administrators. The operations on these pages are also available on the command line. */
@Module({
  imports: [AuthModule, ConsumersModule, PagesModule, ResolverModule, TransferModule],
  controllers: [
    AdminAuditController,
    AdminController,
    AdminInvitationsController,
    AdminKeysController,
    AdminUsersController,
  ],
})
export class AdminModule {}
