import {
  UnknownFormatError,
  UnreadableFileError,
} from '../../lib/library-formats/library-formats.errors.js';
import {
  NotImportedFields,
  type NotImportedReport,
} from '../../lib/library-formats/not-imported.js';
import { type ReadableFile, readFile } from '../../lib/library-formats/read-file.js';
import { yieldToOthers } from '../../lib/util/event-loop.js';
import type { NumberedRow } from './import-batch.js';
import { batchesOf } from './row-batches.js';

/** A task for the thread that reads an import file: open the file, count its rows, or return its next rows. */
export type ReadingTask =
  | { readonly kind: 'open'; readonly path: string; readonly beats: Int32Array }
  | { readonly kind: 'count' }
  | { readonly kind: 'rows'; readonly rowsDone: number };

/**
 * The reason why a file cannot be imported, as a text for the user. The thread returns the reason
 * as a result, because a thrown error would lose its class between threads.
 */
export interface ReadingRefusal {
  readonly isFormatKnown: boolean;
  readonly reason: string;
}

/** The result of a task. An empty array `rows` means that the file has no more rows. */
export type ReadingResult =
  | { readonly kind: 'opened'; readonly format: string; readonly reason: string }
  | { readonly kind: 'refused'; readonly refusal: ReadingRefusal }
  | { readonly kind: 'counted'; readonly rows: number; readonly notImported: NotImportedReport }
  | { readonly kind: 'rows'; readonly rows: readonly NumberedRow[] };

const BEAT_EVERY_MS = 100;

let file: ReadableFile | undefined;
let batches: AsyncGenerator<readonly NumberedRow[]> | undefined;

export default async (task: ReadingTask): Promise<ReadingResult> => {
  switch (task.kind) {
    case 'open':
      beat(task.beats);
      return opened(task.path);
    case 'count':
      return counted(known());
    case 'rows': {
      batches ??= batchesOf(known().rows(), task.rowsDone);
      const next = await batches.next();
      return { kind: 'rows', rows: next.done === true ? [] : next.value };
    }
  }
};

/**
 * Increments a counter at a regular interval. The main thread reads the counter to check that this thread is not
 * blocked.
 */
function beat(beats: Int32Array): void {
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_EVERY_MS).unref();
}

async function opened(path: string): Promise<ReadingResult> {
  try {
    file = await readFile(path);
    return { kind: 'opened', format: file.format, reason: file.reason };
  } catch (error) {
    if (error instanceof UnknownFormatError || error instanceof UnreadableFileError) {
      const isFormatKnown = error instanceof UnreadableFileError;
      return { kind: 'refused', refusal: { isFormatKnown, reason: error.message } };
    }
    throw error;
  }
}

function known(): ReadableFile {
  if (file === undefined) {
    throw new Error('No file is open.');
  }
  return file;
}

async function counted(all: ReadableFile): Promise<ReadingResult> {
  const notImported = new NotImportedFields();
  const reading = all.rows(notImported)[Symbol.asyncIterator]();
  let rows = 0;
  while ((await reading.next()).done !== true) {
    rows += 1;
    await yieldToOthers();
  }
  return { kind: 'counted', rows, notImported: notImported.report() };
}
