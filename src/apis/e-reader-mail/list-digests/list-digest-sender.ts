import { Injectable, Logger } from '@nestjs/common';

import type { User } from '../../../auth/entities/user.entity.js';
import { UserRepository } from '../../../auth/user.repository.js';
import { Clock } from '../../../platform/common/clock.js';
import type { ClaimedDigest } from '../../../reading-list/saved-lists/list-digest.repository.js';
import { dayIn } from '../digest-times.js';
import { NotDeliveredError } from '../e-reader-mail.errors.js';
import { DigestLinks } from './digest-links.js';
import { skipReasonOf } from './list-digest.errors.js';
import { type DigestItems, ListDigestContents } from './list-digest-contents.js';
import { ListDigestLetters } from './list-digest-letters.js';
import { ListDigestParcels } from './list-digest-parcels.js';
import { ListDigestQueue } from './list-digest-queue.js';

/** Sends the digests of saved lists that are due (docs/decisions/0122). */
@Injectable()
export class ListDigestSender {
  private readonly logger = new Logger(ListDigestSender.name);

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly queue: ListDigestQueue,
    private readonly contents: ListDigestContents,
    private readonly letters: ListDigestLetters,
    private readonly parcels: ListDigestParcels,
    private readonly links: DigestLinks,
    private readonly users: UserRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends one digest that is due. If this fails, stores the reason, which the user can see. Returns false if no digest
   * is due or the service sends no mail.
   */
  async sendNext(): Promise<boolean> {
    const digest = this.letters.isOn ? await this.queue.claim() : undefined;
    if (digest === undefined) {
      return false;
    }
    try {
      await this.queue.withLease(digest, () => this.work(digest));
    } catch (error) {
      await this.noteFailed(digest, error);
    }
    return true;
  }

  private async work(digest: ClaimedDigest): Promise<void> {
    if (this.queue.hasNoAttemptLeft(digest)) {
      throw new Error('The process ended in each attempt to send a digest.');
    }
    const itemIds = await this.send(digest);
    await (itemIds.length === 0
      ? this.queue.noteNothing(digest)
      : this.queue.noteSent(digest, itemIds));
  }

  /** Sends a digest. Returns the ids of its items, or none if there was nothing to send. */
  private async send(digest: ClaimedDigest): Promise<readonly string[]> {
    const user = await this.users.findOneBy({ id: digest.userId });
    const items = await this.contents.of(digest, this.clock.now());
    if (user?.disabledAt !== null || items === undefined || items.rows.length === 0) {
      return [];
    }
    return digest.target === 'email'
      ? this.sendLetter(digest, user, items)
      : this.sendBook(digest, items);
  }

  private async sendLetter(
    digest: ClaimedDigest,
    user: User,
    { listName, rows }: DigestItems,
  ): Promise<readonly string[]> {
    if (!(await this.queue.isStillClaimed(digest))) {
      return [];
    }
    const settingsPath = `/list/lists/edit?id=${digest.listId}#digest`;
    const content = { listName, settingsPath, stopPath: this.links.stopPathOf(digest) };
    await this.letters.send(user, content, rows);
    return rows.map(({ item_id: itemId }) => itemId);
  }

  private sendBook(
    digest: ClaimedDigest,
    { listName, rows }: DigestItems,
  ): Promise<readonly string[]> {
    const day = dayIn(digest.timeZone, this.clock.now());
    return this.parcels.send(digest, {
      title: `${listName} ${day}`,
      day,
      itemIds: rows.map(({ item_id: itemId }) => itemId),
      stopPath: this.links.stopPathOf(digest),
      isWanted: () => this.queue.isStillClaimed(digest),
    });
  }

  /** Never throws an error. If the result cannot be stored, the digest is sent again after its lease. */
  private async noteFailed(digest: ClaimedDigest, error: unknown): Promise<void> {
    if (skipReasonOf(error) === undefined && !(error instanceof NotDeliveredError)) {
      this.logger.warn(error);
    }
    try {
      await this.queue.noteFailed(digest, error);
    } catch (failure) {
      this.logger.warn(failure);
    }
  }
}
