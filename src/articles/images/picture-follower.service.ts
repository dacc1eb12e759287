import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Config } from '../../platform/config/config.js';
import { Backoff } from '../../platform/jobs/backoff.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { NOT_FETCHED } from '../../reading-list/entities/page-columns.js';
import { ListRepository, type LockedList } from '../../reading-list/list/list.repository.js';
import { ListTransactions } from '../../reading-list/list-transactions.js';
import { StorageRoom } from '../../reading-list/storage/storage-room.js';
import { PictureRepository } from './picture.repository.js';
import { PictureShareRepository } from './picture-share.repository.js';
import { ITEMS_FOLLOWED } from './picture-share.sql.js';

/**
 * The share of the storage limit up to which pictures are stored. The rest remains for articles, so pictures alone never
 * prevent a user from saving.
 */
const FILLED_SHARE = 0.9;
/** The share of the storage limit below which pictures of a full user are stored again. */
const ROOMY_SHARE = 0.8;
/** The maximum number of users for whom a picture is counted at once when it is stored. */
const COUNTED_AT_STORING = 20;
const BEGINNING = '0';

/**
 * Follows the lists of users like a client that syncs: queues the pictures of new articles, and counts stored pictures
 * towards the storage limit of each user (docs/decisions/0144).
 */
@Injectable()
export class PictureFollower {
  private readonly logger = new Logger(PictureFollower.name);
  private readonly backoff = new Backoff();
  /** The user of the last step, so that users take turns. */
  private lastUser = BEGINNING;
  private fullCount: number | undefined;

  constructor(
    private readonly lists: ListTransactions,
    private readonly shares: PictureShareRepository,
    private readonly config: Config,
  ) {}

  /** Lists and counts some pictures of the next user. Returns false if there is nothing to do. */
  async followNext(): Promise<boolean> {
    const userId = await this.nextUser();
    if (userId !== undefined) {
      await this.attempt(userId, (manager) => this.follow(manager, userId));
    }
    return userId !== undefined;
  }

  /**
   * Counts a picture that was just stored, so that the service fetches no further pictures for a user whose storage is
   * full. Lists no pictures. Of a picture with many users, `followNext` counts the rest.
   */
  async countFor(userIds: readonly string[]): Promise<void> {
    const ready = userIds.filter((userId) => !this.backoff.isPostponed(userId));
    for (const userId of ready.slice(0, COUNTED_AT_STORING)) {
      await this.attempt(userId, (manager) => this.settle(manager, userId));
    }
  }

  /**
   * Follows the lists again whose storage has room again. If the service keeps no new pictures, prepares to follow all
   * lists again.
   */
  async review(signal: AbortSignal): Promise<void> {
    if (!this.config.keepsPictures) {
      await this.shares.restartAll();
      return;
    }
    let [last]: (string | undefined)[] = [BEGINNING];
    while (last !== undefined && !signal.aborted) {
      const users: string[] = await this.shares.fullUsers(last);
      for (const userId of users) {
        await this.attempt(userId, (manager) => this.restartIfRoomy(manager, userId));
      }
      last = users.at(-1);
    }
    this.fullCount = await this.shares.countFullUsers();
  }

  /**
   * Notes that pictures that count towards the limits of users will be deleted. Returns false if this failed for a user,
   * whose storage would count the pictures until the next deletion.
   */
  async noteDeletion(pictureIds: readonly string[]): Promise<boolean> {
    let isNoted = true;
    for (const userId of await this.shares.countingUsers(pictureIds)) {
      const hasSucceeded = await this.attempt(userId, (manager) =>
        ListRepository.in(manager).moveStorage(userId, { storedBytes: 0, mayStoreLess: true }),
      );
      isNoted &&= hasSucceeded;
    }
    return isNoted;
  }

  @Metric({
    name: 'satchel_kept_pictures_full_users',
    help: 'Users whose storage has no room for more pictures, at the last check.',
    kind: 'gauge',
    aggregator: 'max',
  })
  fullUsers(): readonly Sample[] {
    return this.fullCount === undefined ? [] : [{ value: this.fullCount }];
  }

  private async nextUser(): Promise<string | undefined> {
    const postponed = this.backoff.postponed();
    const next =
      (await this.shares.nextDueUser(this.lastUser, postponed)) ??
      (await this.shares.nextDueUser(BEGINNING, postponed));
    this.lastUser = next ?? BEGINNING;
    return next;
  }

  /** Returns true if the work succeeded. An error for one user postpones the work for this user only. */
  private async attempt(
    userId: string,
    work: (manager: EntityManager) => Promise<void>,
  ): Promise<boolean> {
    try {
      await this.lists.run(userId, async (manager) => {
        await ListRepository.in(manager).lock(userId);
        await work(manager);
      });
      this.backoff.forget(userId);
      return true;
    } catch (error) {
      this.backoff.postpone(userId);
      this.logger.warn(error);
      return false;
    }
  }

  private async follow(manager: EntityManager, userId: string): Promise<void> {
    const shares = PictureShareRepository.in(manager);
    const user = await shares.findUser(userId);
    if (user === undefined) {
      return;
    }
    const items = await shares.nextItems(userId, user);
    const fetchedAgain = user.pageIds.slice(0, ITEMS_FOLLOWED);
    await this.list(manager, userId, {
      pageIds: [...fetchedAgain, ...items.map(({ pageId }) => pageId)],
      isQueued: !user.isFull,
    });
    const { isFull, hasMore } = user.isFull ? FULL : await this.count(manager, userId);
    const { version, itemId } = items.at(-1) ?? user;
    const pageIds = user.pageIds.slice(ITEMS_FOLLOWED);
    const isDone = items.length < ITEMS_FOLLOWED && pageIds.length === 0 && !hasMore;
    const handled = isDone ? user.changes : null;
    await shares.recordFollowed(userId, { handled, version, itemId, pageIds, isFull });
  }

  /** Counts some stored pictures of a user. */
  private async settle(manager: EntityManager, userId: string): Promise<void> {
    const shares = PictureShareRepository.in(manager);
    const user = await shares.findUser(userId);
    if (user !== undefined && !user.isFull) {
      const { isFull } = await this.count(manager, userId);
      await shares.recordFollowed(userId, { ...user, handled: null, isFull });
    }
  }

  private async list(
    manager: EntityManager,
    userId: string,
    listed: { readonly pageIds: readonly string[]; readonly isQueued: boolean },
  ): Promise<void> {
    const pageIds = listed.pageIds.filter((pageId) => pageId !== NOT_FETCHED);
    if (pageIds.length > 0) {
      const shares = PictureShareRepository.in(manager);
      await shares.serialiseListings();
      await PictureRepository.in(manager).list(pageIds);
      await shares.add(userId, pageIds, listed.isQueued);
    }
  }

  /** Adds stored pictures to the stored size of the list, until the storage of the user is full. */
  private async count(manager: EntityManager, userId: string): Promise<Counted> {
    const shares = PictureShareRepository.in(manager);
    const uncounted = await shares.uncounted(userId);
    if (uncounted.length === 0) {
      return NOTHING_COUNTED;
    }
    const lists = ListRepository.in(manager);
    const room = this.roomIn(await lists.lock(userId), FILLED_SHARE);
    const counted: string[] = [];
    for (const { pictureId, bytes } of uncounted) {
      if (room.refusalOf(bytes) !== undefined) {
        break;
      }
      room.count(bytes);
      counted.push(pictureId);
    }
    room.requireMeasured();
    await shares.markCounted(userId, counted);
    await lists.moveStorage(userId, room.move);
    const isFull = counted.length < uncounted.length;
    return { isFull, hasMore: !isFull };
  }

  /**
   * Follows the list of a full user again if the storage has room for pictures. A picture that is stored but was not
   * counted must fit too. Otherwise, a large picture would end each attempt, and the list would be followed at each
   * review.
   */
  private async restartIfRoomy(manager: EntityManager, userId: string): Promise<void> {
    const shares = PictureShareRepository.in(manager);
    const list = await ListRepository.in(manager).lock(userId);
    const [next] = await shares.uncounted(userId);
    const rooms = [this.roomIn(list, ROOMY_SHARE), this.roomIn(list, FILLED_SHARE)] as const;
    const refusal = rooms[0].refusalOf(1) ?? rooms[1].refusalOf(next?.bytes ?? 0);
    rooms.forEach((room) => {
      room.requireMeasured();
    });
    if (refusal === undefined) {
      await shares.restart(userId);
    }
  }

  private roomIn(list: LockedList, share: number): StorageRoom {
    return StorageRoom.in(list, Math.floor(this.config.storageLimitBytes * share));
  }
}

/** The result of counting the stored pictures of a user. */
interface Counted {
  /** True if the storage of the user has no room for more pictures. */
  readonly isFull: boolean;
  /** True if more stored pictures may have to be counted. */
  readonly hasMore: boolean;
}

const FULL: Counted = { isFull: true, hasMore: false };
const NOTHING_COUNTED: Counted = { isFull: false, hasMore: false };
