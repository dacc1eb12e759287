import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Variables } from '../processes.js';

const LIBRARY = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((platform) => `/usr/lib/${platform}/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));

/** Until then, a call that began before the clock was set has ended. */
const NOTICED_MS = 60_000;

/** False where Debian's package libfaketime is not installed. */
export const canStepClocks = LIBRARY !== undefined;

/**
 * A wall clock that a test sets forward and back under running processes. The monotonic clock continues, as when the
 * clock of a machine is set.
 */
export class SteppedClock {
  private readonly file: string;
  private offset = 0;
  private setAtMs = -Infinity;

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

  /** True while the clock is wrong, and shortly afterwards. */
  get hasMoved(): boolean {
    return this.offset !== 0 || performance.now() - this.setAtMs < NOTICED_MS;
  }

  /** Sets the difference from the clock of the machine. */
  set(seconds: number): void {
    const draft = join(this.directory, `${this.name}.draft`);
    writeFileSync(draft, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
    renameSync(draft, this.file);
    this.offset = seconds;
    this.setAtMs = performance.now();
  }
}
