import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { WorkLoops } from '../../platform/jobs/work-loops.js';
import { ImportRepository } from './import.repository.js';
import { ImportRunner } from './import.runner.js';
import { sweepUploadedFiles } from './uploaded-file.js';

/**
 * The pause in milliseconds after a check that found no import to run. The checks also find imports that another
 * instance or a restart has left unfinished.
 */
const LOOK_EVERY_MS = 1000;
/**
 * The pause in milliseconds before the next check if an import has just ended. It is short, because users often import
 * several files in a row.
 */
const LOOK_SOON_MS = 50;
const SWEEP_EVERY_MS = 60 * 60 * 1000;
/**
 * The number of imports that run at the same time. Two imports can run, so that a small file does not wait for a large
 * file.
 */
const AT_ONCE = 2;

/** Runs the imports that users have started, as long as the service runs. */
@Injectable()
export class ImportWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops = new WorkLoops(ImportWorkers.name);

  constructor(
    private readonly imports: ImportRepository,
    private readonly runner: ImportRunner,
  ) {}

  onApplicationBootstrap(): void {
    for (let reader = 0; reader < AT_ONCE; reader += 1) {
      this.loops.start(() => this.runNext(), LOOK_EVERY_MS, LOOK_SOON_MS);
    }
    this.loops.start(() => this.sweep(), SWEEP_EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.loops.stop();
    await this.loops.ended();
  }

  private async runNext(): Promise<boolean> {
    const job = await this.imports.claim();
    if (job !== undefined) {
      await this.runner.run(job, this.loops.signal);
    }
    return job !== undefined;
  }

  private async sweep(): Promise<boolean> {
    await sweepUploadedFiles();
    return this.imports.sweep();
  }
}
