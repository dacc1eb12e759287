import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Variables } from '../processes.js';

const LIBRARY = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((platform) => `/usr/lib/${platform}/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));

/** False where Debian's package libfaketime is not installed. */
export const canStepClocks = LIBRARY !== undefined;

/**
 * A wall clock that a test sets forward and back under running processes. The monotonic clock continues, as when the
 * clock of a machine is set.
 */
export class SteppedClock {
  private readonly file: string;
  private offset = 0;
  /** How often the clock was set. */
  sets = 0;

  constructor(
    private readonly directory: string,
    private readonly name: string,
  ) {
    this.file = join(directory, `${name}.clock`);
    this.set(0);
  }

  /** The variables of processes with this clock. Without libfaketime, they have the clock of the machine. */
  get variables(): Variables {
    return LIBRARY === undefined
      ? {}
      : {
          LD_PRELOAD: LIBRARY,
          FAKETIME_TIMESTAMP_FILE: this.file,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          NO_FAKE_STAT: '1',
        };
  }

  get isRight(): boolean {
    return this.offset === 0;
  }

  /** Sets the difference from the clock of the machine. */
  set(seconds: number): void {
    const draft = join(this.directory, `${this.name}.draft`);
    writeFileSync(draft, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
    renameSync(draft, this.file);
    this.offset = seconds;
    this.sets += 1;
  }
}
