import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { PictureShare } from './picture-share.entity.js';
import {
  ADD_SHARES,
  COUNT_FULL_USERS,
  COUNT_SHARES,
  COUNTING_USERS,
  DELETE_WANTED,
  DELETE_WANTED_OF_USER,
  FULL_USERS,
  LOCK_PICTURES,
  NEXT_DUE_USER,
  NEXT_ITEMS,
  NOTE_CHANGES,
  QUEUE_PICTURES,
  READ_PICTURE_USER,
  RECORD_FOLLOWED,
  RECORD_SIZE,
  RESTART_ALL,
  RESTART_USER,
  SERIALISE_LISTINGS,
  UNCOUNTED_SHARES,
} from './picture-share.sql.js';

/** A position in the list of a user, in the order of the latest changes. */
interface FollowedPlace {
  readonly version: string;
  readonly itemId: string;
}

/** How far the pictures follow the list of a user. */
interface FollowedUser extends FollowedPlace {
  readonly changes: string;
  /** The pages that were fetched again for items that did not change. */
  readonly pageIds: readonly string[];
  /** True if the storage of the user has no room for more pictures. */
  readonly isFull: boolean;
}

/** The progress of following a list. `handled` is null if work is left. */
interface Followed extends FollowedPlace {
  readonly handled: string | null;
  /** The pages that must still be listed besides the changed items. */
  readonly pageIds: readonly string[];
  readonly isFull: boolean;
}

interface FollowedItem extends FollowedPlace {
  readonly pageId: string;
}

interface UncountedPicture {
  readonly pictureId: string;
  readonly bytes: number;
}

interface UserRow {
  readonly userId: string;
}

/** The pictures in the articles of each user (docs/decisions/0144). */
export class PictureShareRepository extends CustomRepository<PictureShare> {
  static readonly entity = PictureShare;

  /** Returns the next user after `after` whose pictures must be listed or counted. Omits postponed users. */
  nextDueUser(after: string, postponed: readonly string[]): Promise<string | undefined> {
    return this.userOf(NEXT_DUE_USER, [after, postponed]);
  }

  /** Returns undefined if the user was deleted. */
  async findUser(userId: string): Promise<FollowedUser | undefined> {
    const [user] = await queryRows<FollowedUser>(this.manager, READ_PICTURE_USER, [userId]);
    return user;
  }

  /** Returns the next changed items of a user. The caller must lock the list. */
  nextItems(userId: string, { version, itemId }: FollowedPlace): Promise<FollowedItem[]> {
    return queryRows<FollowedItem>(this.manager, NEXT_ITEMS, [userId, version, itemId]);
  }

  /** Lets only one transaction list pictures until it ends. */
  async serialiseListings(): Promise<void> {
    await queryRows(this.manager, SERIALISE_LISTINGS);
  }

  /**
   * Adds the stored pictures of listed pages to the pictures of a user. If `isQueued` is true, adds and queues those that
   * are neither stored nor given up too.
   */
  async add(userId: string, pageIds: readonly string[], isQueued: boolean): Promise<void> {
    const locked = await queryRows<UncountedPicture>(this.manager, LOCK_PICTURES, [pageIds]);
    const pictureIds = locked.map(({ pictureId }) => pictureId);
    // Further statements, which see images that were stored while this transaction waited for the locks.
    if (isQueued) {
      await queryRows(this.manager, QUEUE_PICTURES, [pictureIds]);
    }
    await queryRows(this.manager, ADD_SHARES, [userId, pictureIds, isQueued]);
  }

  uncounted(userId: string): Promise<UncountedPicture[]> {
    return queryRows<UncountedPicture>(this.manager, UNCOUNTED_SHARES, [userId]);
  }

  async markCounted(userId: string, pictureIds: readonly string[]): Promise<void> {
    await queryRows(this.manager, COUNT_SHARES, [userId, pictureIds]);
  }

  /** Stores how far a list was followed. A user without room for pictures waits for none. */
  async recordFollowed(userId: string, followed: Followed): Promise<void> {
    const { handled, version, itemId, pageIds, isFull } = followed;
    const values = [userId, handled, version, itemId, pageIds, isFull];
    await queryRows(this.manager, RECORD_FOLLOWED, values);
    if (isFull) {
      await queryRows(this.manager, DELETE_WANTED_OF_USER, [userId]);
    }
  }

  /** Lets the list of a user be followed from its beginning, because there is room for pictures again. */
  async restart(userId: string): Promise<void> {
    await queryRows(this.manager, RESTART_USER, [userId]);
  }

  async restartAll(): Promise<void> {
    await queryRows(this.manager, RESTART_ALL);
  }

  /** Returns the next users whose storage has no room for more pictures. */
  async fullUsers(after: string): Promise<string[]> {
    return userIds(await queryRows<UserRow>(this.manager, FULL_USERS, [after]));
  }

  async countFullUsers(): Promise<number> {
    const [row] = await queryRows<{ users: number }>(this.manager, COUNT_FULL_USERS);
    return row?.users ?? 0;
  }

  /**
   * Notes the size of a picture that was just stored, for all users who want it. Returns these users. Requires a
   * transaction.
   */
  async recordSize(pictureId: string, bytes: number): Promise<string[]> {
    const rows = await queryRows<UserRow>(this.manager, RECORD_SIZE, [pictureId, bytes]);
    const users = userIds(rows);
    await queryRows(this.manager, NOTE_CHANGES, [users]);
    return users;
  }

  /** Deletes the shares of a picture that was given up. */
  async forgetWanted(pictureId: string): Promise<void> {
    await queryRows(this.manager, DELETE_WANTED, [pictureId]);
  }

  /** Returns the users whose stored size includes one of the pictures, or will include it. */
  async countingUsers(pictureIds: readonly string[]): Promise<string[]> {
    return userIds(await queryRows<UserRow>(this.manager, COUNTING_USERS, [pictureIds]));
  }

  private async userOf(text: string, values: readonly unknown[]): Promise<string | undefined> {
    const [row] = await queryRows<UserRow>(this.manager, text, values);
    return row?.userId;
  }
}

const userIds = (rows: readonly UserRow[]): string[] => rows.map(({ userId }) => userId);
