import { Injectable, Logger } from '@nestjs/common';

import type { ClaimedDigest } from '../../../reading-list/saved-lists/list-digest.repository.js';
import { NotDeliveredError } from '../e-reader-mail.errors.js';
import { skipReasonOf } from './list-digest.errors.js';
import { ListDigestContents } from './list-digest-contents.js';
import { ListDigestLetters } from './list-digest-letters.js';
import { ListDigestParcels } from './list-digest-parcels.js';
import { ListDigestQueue } from './list-digest-queue.js';

/** Sends the digests of saved lists that are due (docs/decisions/0122). */
@Injectable()
export class ListDigestSender {
  private readonly logger = new Logger(ListDigestSender.name);

  constructor(
    private readonly queue: ListDigestQueue,
    private readonly contents: ListDigestContents,
    private readonly letters: ListDigestLetters,
    private readonly parcels: ListDigestParcels,
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
    const items = await this.contents.of(digest);
    const isWanted = (): Promise<boolean> => this.queue.isStillClaimed(digest);
    if (items === undefined) {
      return [];
    }
    if (digest.target === 'e-reader') {
      return this.parcels.send(digest, items, isWanted);
    }
    return (await isWanted()) ? this.letters.send(digest, items) : [];
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
