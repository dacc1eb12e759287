import { setTimeout as pause } from 'node:timers/promises';

import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { BackgroundWork } from '../../platform/jobs/background-work.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import { AuthModule } from '../auth.module.js';
import { SecurityMailSender } from './security-mail-sender.js';

const LOOK_EVERY_MS = 1000;
/** The time in milliseconds that a shutdown waits for a mail that is being sent. */
const SHUTDOWN_MS = 5000;
/** The number of mails that are sent in parallel. While one mail is retried, others can be sent. */
const AT_ONCE = 2;

/** Runs the loops that send the mails of the outbox, until the service stops. */
@Injectable()
class SecurityMailWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly sender: SecurityMailSender,
  ) {
    this.loops = work.add(SecurityMailWorkers.name);
  }

  onApplicationBootstrap(): void {
    for (let worker = 0; this.sender.isOn && worker < AT_ONCE; worker += 1) {
      this.loops.start(() => this.sender.sendNext(), { everyMs: LOOK_EVERY_MS });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.loops.stop();
    await Promise.race([this.loops.ended(), pause(SHUTDOWN_MS, undefined, { ref: false })]);
  }
}

/** Contains the loops that send mails about changes of security. The command line only queues them. */
@Module({ imports: [AuthModule], providers: [SecurityMailWorkers] })
export class SecurityMailWorkersModule {}
