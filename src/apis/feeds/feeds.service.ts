import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { ListReader } from '../../reading-list/get/list-reader.js';
import type { ItemsFound } from '../../reading-list/query/items-wanted.js';
import { FeedAccessRepository } from './feed-access.repository.js';
import { type FeedChoice, itemsOf, LISTS } from './feed-choice.js';
import { FeedTokens } from './feed-tokens.js';
import type { FeedOwner } from './feeds.sql.js';

/** The paths of a user's feeds, without their formats. */
export interface FeedPaths {
  readonly lists: readonly { readonly title: string; readonly path: string }[];
  /** The name of a tag follows. */
  readonly tags: string;
}

/** The feeds of users, and who may read them: each client that knows the feed address. */
@Injectable()
export class FeedsService {
  constructor(
    private readonly accesses: FeedAccessRepository,
    private readonly tokens: FeedTokens,
    private readonly list: ListReader,
  ) {}

  /** A new feed address, in the place of the one before. */
  async issue(userId: string): Promise<void> {
    await this.accesses.issue(userId, this.tokens.newId());
  }

  async revoke(userId: string, manager: EntityManager = this.accesses.manager): Promise<void> {
    await manager.withRepository(this.accesses).revoke(userId);
  }

  /** Undefined where the user has no feed address. */
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
    return { lists, tags: `${start}/tag/` };
  }

  /** Undefined for a token that is not of this service, which costs no statement, and for one that is revoked. */
  async ownerOf(token: string): Promise<FeedOwner | undefined> {
    const accessId = this.tokens.idIn(token);
    return accessId && this.accesses.findOwner(accessId);
  }

  /** Throws ServiceBusyError. */
  items(owner: FeedOwner, choice: FeedChoice): Promise<ItemsFound> {
    return this.list.page(owner.user_id, itemsOf(choice), owner);
  }
}
