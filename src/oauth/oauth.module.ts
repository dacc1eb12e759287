import { Module } from '@nestjs/common';

import { ConsumersModule } from '../consumers/consumers.module.js';
import { AuthorizationSweep } from './authorization-sweep.js';
import { AuthorizationsService } from './authorizations.service.js';
import { OAuthController } from './http/oauth.controller.js';
import { RequestCodesService } from './request-codes.service.js';

/** How an application gets leave to act for a person: a code, the person's answer, an access token. */
@Module({
  imports: [ConsumersModule],
  controllers: [OAuthController],
  providers: [RequestCodesService, AuthorizationsService, AuthorizationSweep],
  exports: [AuthorizationsService],
})
export class OAuthModule {}
