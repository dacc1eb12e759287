import process from 'node:process';

import { SingleBar } from 'cli-progress';

import type { ImportProgress } from '../transfer/import.runner.js';
import { tell } from './terminal.js';

const LINE_EVERY_MS = 5000;

/** Shows how far an import is: a bar on a terminal, a line now and then elsewhere. */
export interface ProgressDisplay {
  update(progress: ImportProgress): void;
  end(): void;
}

export const progressDisplay = (): ProgressDisplay =>
  process.stderr.isTTY ? progressBar() : progressLines();

function progressBar(): ProgressDisplay {
  const startedAt = performance.now();
  let startedWith: number | undefined;
  const bar = new SingleBar({
    format: '{bar} {percentage}% | {value}/{total} rows | {rate} rows/s | {eta_formatted} left',
    stream: process.stderr,
    etaBuffer: 50,
  });
  return {
    update({ rowsDone, rowCount }) {
      if (startedWith === undefined) {
        bar.start(rowCount, rowsDone, { rate: 0 });
      }
      startedWith ??= rowsDone;
      bar.setTotal(rowCount);
      const seconds = (performance.now() - startedAt) / 1000;
      bar.update(rowsDone, { rate: Math.round((rowsDone - startedWith) / seconds) });
    },
    end() {
      bar.stop();
    },
  };
}

function progressLines(): ProgressDisplay {
  let toldAt = performance.now();
  return {
    update({ rowsDone, rowCount }) {
      if (performance.now() - toldAt > LINE_EVERY_MS) {
        toldAt = performance.now();
        tell(`${rowsDone} of ${rowCount} rows`);
      }
    },
    end: () => undefined,
  };
}
