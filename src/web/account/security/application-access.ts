import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { FeedsService } from '../../../apis/feeds/feeds.service.js';
import type { ActingUser } from '../../../auth/audit/audit.repository.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';

/**
 * Ends all access to the list of a user that needs no session: of applications, personal keys, application passwords,
 * clients and feed readers.
 */
@Injectable()
export class ApplicationAccess {
  constructor(
    private readonly authorizations: AuthorizationsService,
    private readonly feeds: FeedsService,
  ) {}

  async end(user: ActingUser): Promise<void> {
    await this.authorizations.revoke(user);
    await this.feeds.revoke(user);
  }

  /** Does the same in the transaction of the caller. The caller must have locked the user. */
  async endIn(manager: EntityManager, user: ActingUser): Promise<void> {
    await this.authorizations.revokeAllIn(manager, user);
    await this.feeds.revoke(user, manager);
  }
}
