import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { FeedsService } from '../../../apis/feeds/feeds.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { Config } from '../../../platform/config/config.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { RecentLoginGuard } from '../../login/confirm/recent-login.guard.js';

/** Finds the complete addresses of the feeds of saved lists. */
@Injectable()
export class FeedUrls {
  constructor(
    private readonly feeds: FeedsService,
    private readonly config: Config,
    private readonly recent: RecentLoginGuard,
  ) {}

  /** Returns the addresses, without file extensions, keyed by the ids of the lists. */
  async of(userId: string, request: Request): Promise<ReadonlyMap<string, string>> {
    const base = ownAddress(request, this.config.publicUrl);
    const paths = await this.feeds.pathsOf(userId);
    return new Map(
      paths?.lists.flatMap(({ listId, path }): [string, string][] =>
        listId === undefined ? [] : [[listId, `${base}${path}`]],
      ),
    );
  }

  /**
   * Requires a recent login if the user has no feed address yet, because `begin` will create it.
   * @throws ConfirmationNeeded if the user must prove the identity again.
   */
  async requireToBegin(user: User, request: Request): Promise<void> {
    if ((await this.feeds.pathsOf(user.id)) === undefined) {
      await this.recent.require(request, user);
    }
  }

  /** Creates the feed address of a user who has none. */
  async begin(user: User): Promise<void> {
    await this.feeds.issueFirst(user);
  }
}
