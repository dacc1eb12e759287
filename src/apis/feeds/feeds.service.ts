import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { type ActingUser, AuditRepository } from '../../auth/audit/audit.repository.js';
import { AuditKind } from '../../auth/entities/audit-kinds.js';
import type { Message } from '../../platform/i18n/message.js';
import { ListReader } from '../../reading-list/get/list-reader.js';
import type { ItemsFound } from '../../reading-list/query/items-wanted.js';
import { FeedAccessRepository } from './feed-access.repository.js';
import { type FeedChoice, itemsOf, LISTS } from './feed-choice.js';
import { FeedTokens } from './feed-tokens.js';
import type { FeedOwner } from './feeds.sql.js';
import { ListFeeds } from './list-feeds.service.js';

/** The paths of a user's feeds, without file extensions. */
export interface FeedPaths {
  readonly lists: readonly {
    readonly title: Message;
    readonly path: string;
    /** The id of the saved list, if the feed is that of a saved list. */
    readonly listId?: string;
  }[];
  /** The start of the paths of tag feeds. The name of a tag completes the path. */
  readonly tags: string;
}

/** Serves the feeds of users to every client that knows the secret feed address. */
@Injectable()
export class FeedsService {
  constructor(
    private readonly accesses: FeedAccessRepository,
    private readonly tokens: FeedTokens,
    private readonly list: ListReader,
    private readonly savedLists: ListFeeds,
  ) {}

  /** Creates a new feed address for the user. The previous address no longer works. */
  async issue(user: ActingUser): Promise<void> {
    await this.accesses.manager.transaction(async (manager) => {
      await FeedAccessRepository.in(manager).issue(user.id, this.tokens.newId());
      await AuditRepository.in(manager).act(user, AuditKind.FeedCreated);
    });
  }

  /** Creates a feed address for the user unless the user already has one. */
  async issueFirst(user: ActingUser): Promise<void> {
    await this.accesses.manager.transaction(async (manager) => {
      if (await FeedAccessRepository.in(manager).issueFirst(user.id, this.tokens.newId())) {
        await AuditRepository.in(manager).act(user, AuditKind.FeedCreated);
      }
    });
  }

  async revoke(user: ActingUser, manager: EntityManager = this.accesses.manager): Promise<void> {
    if (await FeedAccessRepository.in(manager).revoke(user.id)) {
      await AuditRepository.in(manager).act(user, AuditKind.FeedRevoked);
    }
  }

  /** Returns the paths of a user's feeds, or undefined if the user has no feed address. */
  async pathsOf(userId: string): Promise<FeedPaths | undefined> {
    const accessId = await this.accesses.accessIdOf(userId);
    if (accessId === undefined) {
      return undefined;
    }
    const start = `/feeds/${this.tokens.tokenOf(accessId)}`;
    const lists = Object.entries(LISTS).map(([name, { title }]) => ({
      title,
      path: `${start}/${name}`,
    }));
    const saved = (await this.savedLists.all(userId)).map(({ list, choice }) => ({
      title: choice.title,
      path: `${start}/${choice.path}`,
      listId: list.id,
    }));
    return { lists: [...lists, ...saved], tags: `${start}/tag/` };
  }

  /**
   * Returns the user of a feed token. Returns undefined if the token is invalid or revoked, or if the user is disabled.
   * Rejects a token with an invalid signature without a database query.
   */
  async ownerOf(token: string): Promise<FeedOwner | undefined> {
    const accessId = this.tokens.idIn(token);
    return accessId && this.accesses.findOwner(accessId);
  }

  /**
   * Returns the items of a feed.
   *
   * @throws ServiceBusyError if too many requests of the user are queued
   */
  items(owner: FeedOwner, choice: FeedChoice): Promise<ItemsFound> {
    return this.list.page(owner.user_id, itemsOf(choice), owner);
  }
}
