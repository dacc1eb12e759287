import { randomUUID } from 'node:crypto';

import { In, LessThanOrEqual } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { OVER_ALL } from '../../platform/database/query-rows.js';
import { ListDigest } from '../entities/list-digest.entity.js';
import { ListDigestItem } from '../entities/list-digest-item.entity.js';

/** The settings of a digest that its user chooses. */
export type ListDigestChoice = Readonly<
  Pick<ListDigest, 'target' | 'minuteOfDay' | 'timeZone' | 'mostItems'>
> & { readonly weekdays: readonly number[] };

/** The list of a digest, and the id of the attempt to send it. */
export type ClaimedDigest = ListDigest & { readonly claimId: string };

/** The values of a digest that the end of an attempt changes. */
export type DigestEnd = Partial<
  Pick<ListDigest, 'nextAt' | 'attempts' | 'isGivenUp' | 'lastFailedAt' | 'lastError'>
>;

type SentDigest = Pick<ListDigest, 'lastSentAt' | 'lastCount'>;

type DigestKey = Pick<ListDigest, 'userId' | 'listId'>;

/** Stores the digests of saved lists, and finds those that are due. */
export class ListDigestRepository extends CustomRepository<ListDigest> {
  static readonly entity = ListDigest;

  async ofList({ userId, listId }: DigestKey): Promise<ListDigest | undefined> {
    return (await this.findOneBy({ userId, listId })) ?? undefined;
  }

  /** Stores the settings of a digest. Ends a running attempt, and forgets earlier failures. */
  async put(
    { userId, listId }: DigestKey,
    { weekdays, ...choice }: ListDigestChoice,
    nextAt: Date | null,
  ): Promise<void> {
    const state = { nextAt, claimId: null, attempts: 0, isGivenUp: false };
    const outcome = { lastFailedAt: null, lastError: '' };
    const digest = { userId, listId, ...choice, weekdays: [...weekdays], ...state, ...outcome };
    await this.upsert(digest, ['userId', 'listId']);
  }

  /** Turns off a digest, and keeps its settings. Ends a running attempt. */
  async turnOff({ userId, listId }: DigestKey): Promise<void> {
    await this.update({ userId, listId }, { nextAt: null, claimId: null, attempts: 0 });
  }

  /**
   * Claims a digest that is due until `leaseEnd`. If the process dies, the digest is due again then. Returns undefined
   * if no digest is due, or if other instances have locked all due digests. Requires a transaction.
   */
  async claim(now: Date, leaseEnd: Date): Promise<ClaimedDigest | undefined> {
    const digest = await this.findOne({
      comment: OVER_ALL,
      where: { nextAt: LessThanOrEqual(now) },
      order: { nextAt: 'ASC' },
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
    if (digest === null) {
      return undefined;
    }
    const { userId, listId } = digest;
    const claim = { claimId: randomUUID(), attempts: digest.attempts + 1 };
    await this.update({ userId, listId }, { ...claim, nextAt: leaseEnd });
    return Object.assign(digest, claim);
  }

  /** Returns false if the user has changed the digest since it was claimed, or if another instance has claimed it. */
  async renew({ userId, listId, claimId }: ClaimedDigest, nextAt: Date): Promise<boolean> {
    const { affected } = await this.update({ userId, listId, claimId }, { nextAt });
    return affected === 1;
  }

  /**
   * Ends an attempt, and stores its result and the time of the next one. Does nothing if the user has changed the digest
   * since it was claimed, or if another instance has claimed it.
   */
  async finish({ userId, listId, claimId }: ClaimedDigest, end: DigestEnd): Promise<void> {
    await this.update({ userId, listId, claimId }, { ...end, claimId: null });
  }

  /** Stores that a digest was sent, also if the user has changed the digest since it was claimed. */
  async noteSent({ userId, listId }: DigestKey, sent: SentDigest): Promise<void> {
    await this.update({ userId, listId }, sent);
  }

  /** Stores the items that a digest has contained. Ignores items that are stored already. */
  async addItems({ userId, listId }: DigestKey, itemIds: readonly string[]): Promise<void> {
    const rows = itemIds.map((itemId) => ({ userId, listId, itemId }));
    const items = this.manager.getRepository(ListDigestItem);
    await items.createQueryBuilder().insert().values(rows).orIgnore().execute();
  }

  /** Deletes the digests of lists. Ignores lists without a digest. */
  async deleteOf(userId: string, listIds: readonly string[]): Promise<void> {
    await this.delete({ userId, listId: In(listIds) });
  }
}
