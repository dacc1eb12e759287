import { Injectable } from '@nestjs/common';
import { Any, type EntityManager, IsNull } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';
import { Item } from '../entities/item.entity.js';
import type { SharedItem } from '../entities/shared-item.entity.js';
import { itemEvents } from '../events/unit-events.js';
import { facetMoves } from '../facet.js';
import { ListRepository } from '../list/list.repository.js';
import { ListTransactions } from '../list-transactions.js';
import { ItemNotFoundError, LinkEndedError } from '../reading-list.errors.js';
import { ShareTokens } from './share-tokens.js';
import {
  type OwnedItem,
  SharedItemRepository,
  type SharePage,
  type ShareTerms,
} from './shared-item.repository.js';

/** The public link of an item. */
export interface PublicLink extends Pick<SharedItem, 'itemId' | 'createdAt' | 'includesNote'> {
  /** The path of the public page, which contains the secret. */
  readonly path: string;
  /** Undefined for a link that never expires. */
  readonly expiresAt: Date | undefined;
}

/** The item that a public link shows, and the user who shares it. */
export interface OpenedShare extends OwnedItem {
  readonly includesNote: boolean;
  readonly owner: User;
}

const DEFAULT_TERMS: ShareTerms = { days: 'never', includesNote: false };

/** Creates, finds and revokes the public links of items (docs/decisions/0117). */
@Injectable()
export class Sharing {
  constructor(
    private readonly shares: SharedItemRepository,
    private readonly tokens: ShareTokens,
    private readonly lists: ListTransactions,
  ) {}

  /**
   * Shares an item. If it is shared already, its link stays the same and gets the new terms.
   * @throws ItemNotFoundError
   * @throws LinkEndedError if the terms are for an existing link and there is none
   * @throws ServiceBusyError
   */
  share(item: OwnedItem, terms: ShareTerms): Promise<void> {
    return this.lists.run(item.userId, (manager) => this.shareIn(manager, item, terms));
  }

  /**
   * Shares an item in the caller's transaction. Without terms, a link that exists does not change, and a new link never
   * expires.
   * @throws ItemNotFoundError
   * @throws LinkEndedError if the terms are for an existing link and there is none
   */
  async shareIn(
    manager: EntityManager,
    item: OwnedItem,
    terms: ShareTerms | undefined,
  ): Promise<void> {
    const { userId, itemId } = item;
    // The lock keeps the item, and lets only one of two calls create the link.
    await ListRepository.in(manager).lock(userId);
    const shares = SharedItemRepository.in(manager);
    if ((await shares.activeOf(item)) !== undefined) {
      await (terms && shares.change(item, terms));
      return;
    }
    if (!(await manager.existsBy(Item, { userId, itemId }))) {
      throw new ItemNotFoundError();
    }
    if (terms?.days === 'same') {
      throw new LinkEndedError();
    }
    await shares.begin(item, this.tokens.newId(), terms ?? DEFAULT_TERMS);
    await renewVersions(manager, userId, [itemId]);
  }

  /** Revokes the links of these items, or all links of the user. Missing links are ignored. */
  revoke(userId: string, itemIds?: readonly string[]): Promise<void> {
    return this.lists.run(userId, (manager) => this.revokeIn(manager, userId, itemIds));
  }

  /** Revokes links in the caller's transaction. */
  async revokeIn(
    manager: EntityManager,
    userId: string,
    itemIds?: readonly string[],
  ): Promise<void> {
    await ListRepository.in(manager).lock(userId);
    const ended = await SharedItemRepository.in(manager).end(userId, itemIds);
    await renewVersions(manager, userId, ended);
  }

  /** Returns the public link of an item, or undefined if the item is private. */
  async linkOf(item: OwnedItem): Promise<PublicLink | undefined> {
    const shared = await this.shares.activeOf(item);
    return shared && this.linkTo(shared);
  }

  /** Returns public links of a user, the newest first. */
  async linksOf(userId: string, page: SharePage): Promise<PublicLink[]> {
    return (await this.shares.latest(userId, page)).map((shared) => this.linkTo(shared));
  }

  /** Returns the share tokens of those items that are shared, keyed by item id. */
  async tokensOf(userId: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const shared = await this.shares.activeAmong(userId, itemIds);
    return new Map(shared.map(({ itemId, accessId }) => [itemId, this.tokens.tokenOf(accessId)]));
  }

  /**
   * Returns the item that a public link shows. Returns undefined if the token is invalid, if the link was revoked or
   * has expired, or if the user is disabled. Rejects a token with an invalid signature without a database query.
   */
  async open(token: string): Promise<OpenedShare | undefined> {
    const accessId = this.tokens.idIn(token);
    const shared = accessId && (await this.shares.findByAccessId(accessId));
    const owner =
      shared &&
      (await this.shares.manager.findOneBy(User, { id: shared.userId, disabledAt: IsNull() }));
    return shared && owner
      ? {
          userId: shared.userId,
          itemId: shared.itemId,
          includesNote: shared.includesNote,
          owner,
        }
      : undefined;
  }

  private linkTo({ itemId, accessId, createdAt, expiresAt, includesNote }: SharedItem): PublicLink {
    const path = `/shared/${this.tokens.tokenOf(accessId)}`;
    return { itemId, path, createdAt, expiresAt: expiresAt ?? undefined, includesNote };
  }
}

/** Gives items a new version, because clients of wallabag show which entries are public. */
async function renewVersions(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length === 0) {
    return;
  }
  const lists = ListRepository.in(manager);
  const list = await lists.lock(userId);
  await manager.update(Item, { userId, itemId: Any([...itemIds]) }, { version: list.nextVersion });
  const { hasSearchIndex } = list;
  await lists.moveCounters(userId, list, {
    hasSearchIndex,
    facetMoves: facetMoves([], []),
    events: () => itemEvents('item.changed', itemIds),
  });
}
