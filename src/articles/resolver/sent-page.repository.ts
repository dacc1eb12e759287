import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { SentPage } from './entities/sent-page.entity.js';
import type { ItemKey } from './page.repository.js';
import { CLAIM_SENT, LEASE_END, TAKE_SENT } from './resolution.sql.js';

/** The key of one page that a client has sent for an item. Each sent page has a new `version`. */
export interface SentVersion extends ItemKey {
  readonly version: string;
}

interface ClaimedSentPage extends SentVersion {
  readonly url: string;
  /** The compressed HTML that the client has sent. */
  readonly html: Buffer;
  /**
   * True if parsing the page has crashed the process too often, so that the page must be discarded.
   */
  readonly isHopeless: boolean;
}

export class SentPageRepository extends CustomRepository<SentPage> {
  static readonly entity = SentPage;

  /**
   * Leases a sent page that no process is parsing. The process that received the page has ended or
   * was too busy to parse it.
   */
  async claimAbandoned(): Promise<ClaimedSentPage | undefined> {
    const [page] = await queryRows<ClaimedSentPage>(this.manager, CLAIM_SENT);
    return page;
  }

  async renewLease({ userId, itemId, version }: SentVersion): Promise<void> {
    await this.update({ userId, itemId, version }, { leasedUntil: () => LEASE_END });
  }

  /**
   * Does not count the last attempt to parse a page, because the page was not the cause of its failure. The next attempt
   * begins at the end of the lease.
   */
  async forgetAttempt({ userId, itemId, version }: SentVersion): Promise<void> {
    await this.update({ userId, itemId, version }, { attempts: () => 'attempts - 1' });
  }

  /**
   * Deletes a sent page and returns its size in bytes. Returns undefined if another process has deleted the page, or if
   * the client has sent the page again.
   */
  async take({ userId, itemId, version }: SentVersion): Promise<number | undefined> {
    const key = [userId, itemId, version];
    const [taken] = await queryRows<{ bytes: number }>(this.manager, TAKE_SENT, key);
    return taken?.bytes;
  }
}
