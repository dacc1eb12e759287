import { Injectable, Logger } from '@nestjs/common';

import { compressedText } from '../common/compressed-text.js';
import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import type { PageClaim } from './page.claim.js';
import type { HostPause, ReadOutcome, ReadPage, UnreadPage } from './page-record.js';
import { type PageFate, PageTally } from './page-tally.js';
import {
  GIVEN_UP,
  PAUSE_HOST,
  POSTPONED,
  READ,
  STILL_FRESH,
  UNCHANGED,
} from './resolution.statements.js';

/** Of reading a page. */
export const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_SECONDS = 60;
const PAUSE_FACTOR = 4;
const MAX_PAUSE_SECONDS = 86_400;
/** A page that was given up is not tried again before, however often it is saved. */
const GIVEN_UP_SECONDS = 3600;

/** Writes what became of a claimed page. */
@Injectable()
export class PageSettlement {
  private readonly logger = new Logger(PageSettlement.name);

  constructor(
    private readonly database: Database,
    private readonly tally: PageTally,
  ) {}

  /** False when the lease went to somebody else meanwhile: then nothing is written. */
  async settle(claim: PageClaim, outcome: ReadOutcome): Promise<boolean> {
    switch (outcome.kind) {
      case 'read':
        return this.write('read', READ, claim, await readValues(outcome));
      case 'unchanged':
        return claim.isFresh
          ? this.write(undefined, STILL_FRESH, claim)
          : this.write('unchanged', UNCHANGED, claim);
      case 'unread':
        return this.postponeOrGiveUp(claim, outcome);
    }
  }

  private async postponeOrGiveUp(claim: PageClaim, outcome: UnreadPage): Promise<boolean> {
    const { reason, isTemporary, pause } = outcome;
    if (pause !== undefined) {
      await this.pause(pause);
    }
    const isOver = !isTemporary || claim.attempts >= MAX_ATTEMPTS;
    this.logger.debug(
      `page ${claim.pageId}: ${reason} (attempt ${claim.attempts}${isOver ? ', given up' : ''})`,
    );
    return isOver
      ? this.write('givenUp', GIVEN_UP, claim, [reason, GIVEN_UP_SECONDS])
      : this.write('postponed', POSTPONED, claim, [
          reason,
          Math.max(pauseBefore(claim.attempts), shortened(pause?.seconds ?? 0)),
        ]);
  }

  private async pause({ host, seconds }: HostPause): Promise<void> {
    await this.database.read((manager) =>
      run(manager, { text: PAUSE_HOST, values: [host, shortened(seconds)] }),
    );
  }

  /** In a transaction, which is run again when it is in the way of somebody who deletes items. */
  private async write(
    fate: PageFate | undefined,
    text: string,
    { pageId, lease }: PageClaim,
    values: readonly unknown[] = [],
  ): Promise<boolean> {
    const rows = await this.database.write((manager) =>
      run(manager, { text, values: [pageId, lease, ...values] }),
    );
    if (rows.length > 0 && fate !== undefined) {
      this.tally.count(fate);
    }
    return rows.length > 0;
  }
}

async function readValues({ record, article, etag, lastModified }: ReadPage): Promise<unknown[]> {
  const compressed = article === undefined ? null : await compressedText(article);
  return [JSON.stringify(record), compressed, etag, lastModified];
}

const shortened = (seconds: number): number => Math.min(seconds, MAX_PAUSE_SECONDS);

const pauseBefore = (attempts: number): number =>
  FIRST_PAUSE_SECONDS * PAUSE_FACTOR ** (attempts - 1);
