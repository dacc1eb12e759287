import { Module } from '@nestjs/common';

import { provideRepository } from '../../platform/database/custom-repository.js';
import { AuthModule } from '../auth.module.js';
import { ConsumersModule } from '../consumers/consumers.module.js';
import { AuthorizationRequestRepository } from './authorization-request.repository.js';
import { AuthorizationsService } from './authorizations.service.js';
import { OAuthController } from './http/oauth.controller.js';
import { RequestCodesService } from './request-codes.service.js';

/**
 * Lets applications request access to a user's list. If the user agrees, an application exchanges
 * its request code for an access token.
 */
@Module({
  imports: [AuthModule, ConsumersModule],
  controllers: [OAuthController],
  providers: [
    RequestCodesService,
    AuthorizationsService,
    provideRepository(AuthorizationRequestRepository),
  ],
  exports: [AuthorizationsService],
})
export class OAuthModule {}
