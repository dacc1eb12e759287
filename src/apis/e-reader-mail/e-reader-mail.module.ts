import { setTimeout as pause } from 'node:timers/promises';

import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { ArticlesModule } from '../../articles/articles.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { provideRepository } from '../../platform/database/custom-repository.js';
import { BackgroundWork } from '../../platform/jobs/background-work.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ThrottlingModule } from '../../platform/throttling/throttling.module.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { DigestBooks } from './digest-books.js';
import { Digests } from './digests.js';
import { EReaderLimits } from './e-reader-limits.js';
import { EReaderMail } from './e-reader-mail.service.js';
import { EReaderPost } from './e-reader-post.js';
import { EReaderSettingsRepository } from './e-reader-settings.repository.js';
import { DigestLinks } from './list-digests/digest-links.js';
import { ListDigestContents } from './list-digests/list-digest-contents.js';
import { ListDigestLetters } from './list-digests/list-digest-letters.js';
import { ListDigestParcels } from './list-digests/list-digest-parcels.js';
import { ListDigestQueue } from './list-digests/list-digest-queue.js';
import { ListDigestSender } from './list-digests/list-digest-sender.js';
import { ListDigests } from './list-digests/list-digests.service.js';
import { RuleMails } from './rule-mails.js';

const LOOK_EVERY_MS = 5000;
/**
 * The time in milliseconds that a shutdown waits for running digests. If a digest is still not sent after this time,
 * the service never sends it.
 */
const SHUTDOWN_MS = 5000;
/**
 * The number of digests of each kind that are sent in parallel. While the mail of one digest is retried, the service can still send
 * other digests.
 */
const AT_ONCE = 2;

/** Mails single articles and digests to the e-readers of users, and digests of lists to e-readers and users. */
@Module({
  imports: [ArticlesModule, AuthModule, MailModule, ReadingListModule, ThrottlingModule],
  providers: [
    ...[DigestBooks, Digests, EReaderLimits, EReaderMail, EReaderPost, RuleMails],
    ...[DigestLinks, ListDigestContents, ListDigestLetters, ListDigestParcels],
    ...[ListDigestQueue, ListDigestSender, ListDigests],
    provideRepository(EReaderSettingsRepository),
  ],
  exports: [
    ...[Digests, EReaderMail, EReaderSettingsRepository, RuleMails],
    ...[DigestLinks, ListDigests, ListDigestSender],
  ],
})
export class EReaderMailModule {}

/** Runs loops that send the digests that are due and the mails of rules, until the service stops. */
@Injectable()
class DigestWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly digests: Digests,
    private readonly ruleMails: RuleMails,
    private readonly listDigests: ListDigestSender,
  ) {
    this.loops = work.add(DigestWorkers.name);
  }

  onApplicationBootstrap(): void {
    for (let worker = 0; worker < AT_ONCE; worker += 1) {
      this.loops.start(() => this.digests.sendNext(), { everyMs: LOOK_EVERY_MS });
      this.loops.start(() => this.listDigests.sendNext(), { everyMs: LOOK_EVERY_MS });
    }
    this.loops.start(() => this.ruleMails.sendNext(), { everyMs: LOOK_EVERY_MS });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.loops.stop();
    await Promise.race([this.loops.ended(), pause(SHUTDOWN_MS, undefined, { ref: false })]);
  }
}

/**
 * Contains the loops that send digests. The command line does not import this module, because only the service sends
 * digests.
 */
@Module({ imports: [EReaderMailModule], providers: [DigestWorkers] })
export class EReaderMailWorkersModule {}
