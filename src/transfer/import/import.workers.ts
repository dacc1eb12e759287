import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { BackgroundWork } from '../../platform/jobs/background-work.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import { UndoRunner } from '../undo/undo.runner.js';
import { ImportRepository } from './import.repository.js';
import { ImportRunner } from './import.runner.js';
import { sweepUploadedFiles } from './uploaded-file.js';

/**
 * The longest pause in milliseconds between two checks for imports to run. The checks also find
 * imports whose process has stopped.
 */
const LOOK_EVERY_MS = 1000;
/**
 * The pause in milliseconds before the first check after an import has ended. It is short, because
 * users often import several files in a row.
 */
const LOOK_SOON_MS = 50;
const SWEEP_EVERY_MS = 60 * 60 * 1000;
/**
 * The number of imports that run at the same time. Two imports can run, so that a small file does not wait for a large
 * file.
 */
const AT_ONCE = 2;

/** Runs the imports that users have started, and their undos, until the service stops. */
@Injectable()
export class ImportWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly imports: ImportRepository,
    private readonly runner: ImportRunner,
    private readonly undos: UndoRunner,
  ) {
    this.loops = work.add(ImportWorkers.name);
  }

  onApplicationBootstrap(): void {
    for (let reader = 0; reader < AT_ONCE; reader += 1) {
      this.loops.start(() => this.runNext(), { everyMs: LOOK_EVERY_MS, soonMs: LOOK_SOON_MS });
    }
    this.loops.start(() => this.sweep(), { everyMs: SWEEP_EVERY_MS });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.loops.stop();
    await this.loops.ended();
  }

  private async runNext(): Promise<boolean> {
    const job = await this.imports.claim();
    if (job !== undefined) {
      const runner = job.state === 'undoing' ? this.undos : this.runner;
      await runner.run(job, this.loops.signal);
    }
    return job !== undefined;
  }

  private async sweep(): Promise<boolean> {
    await sweepUploadedFiles();
    await this.undos.sweep();
    return this.imports.sweep();
  }
}
