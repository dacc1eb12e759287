import type { Piscina } from 'piscina';

import { startThreads } from '../../lib/extraction/extraction-pool.js';
import {
  UnknownFormatError,
  UnreadableFileError,
} from '../../lib/library-formats/library-formats.errors.js';
import { startTimeLimit } from '../../lib/util/time-limit.js';
import { workerFile } from '../../lib/util/worker-file.js';
import type { FirstLook } from './import.repository.js';
import type { NumberedRow } from './import-batch.js';
import type { ReadingRefusal, ReadingResult, ReadingTask } from './read-file.worker.js';

const WORKER = new URL('./read-file.worker.js', import.meta.url);
/**
 * The memory limit in MB for the thread that reads an import file. This amount is enough for an archive with 200,000
 * files.
 */
const HEAP_MB = 512;
/**
 * The time in milliseconds after which the thread that reads an import file is stopped if it has not incremented its
 * counter. Normally, the thread increments the counter several times per second.
 */
const SILENCE_MS = 20_000;
/**
 * The time limit in milliseconds for one task of the thread that reads an import file. Counting a million rows takes a
 * minute. Only archives that are designed to be slow exceed the limit.
 */
const ANSWER_MS = 10 * 60_000;

/** The recognised format of a file, and a text that explains how it was recognised. */
export type OpenedFile = Pick<FirstLook, 'format' | 'formatReason'>;

/**
 * Thrown if the thread that reads an import file has crashed or was stopped, for example because the thread was blocked
 * or exceeded its time limit or its memory limit.
 */
export class ReaderEndedError extends Error {}

/** Reads an import file in a separate thread, so that a malicious file cannot block the service. */
export class ReadingThread {
  readonly #beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #threads: Piscina<ReadingTask, ReadingResult>;

  constructor(
    private readonly silenceMs = SILENCE_MS,
    worker = workerFile(WORKER),
    private readonly answerMs = ANSWER_MS,
  ) {
    const limits = { threads: 1, heapMb: HEAP_MB };
    this.#threads = startThreads(limits, worker, limits.threads);
  }

  /**
   * Opens the file and recognises its format.
   * @throws UnknownFormatError, UnreadableFileError, ReaderEndedError
   */
  async open(path: string): Promise<OpenedFile> {
    const result = await this.#ask({ kind: 'open', path, beats: this.#beats });
    if (result.kind === 'refused') {
      throw errorOf(result.refusal);
    }
    if (result.kind !== 'opened') {
      throw new Error(`The thread answered with ${result.kind}.`);
    }
    return { format: result.format, formatReason: result.reason };
  }

  /**
   * Counts the rows of the file, and finds the fields that are not imported.
   * @throws ReaderEndedError if the thread has ended or the signal is aborted
   */
  async count(signal: AbortSignal): Promise<Pick<FirstLook, 'rowCount' | 'notImported'>> {
    const result = await this.#ask({ kind: 'count' }, signal);
    return result.kind === 'counted'
      ? { rowCount: result.rows, notImported: result.notImported }
      : { rowCount: 0, notImported: null };
  }

  /**
   * Yields the rows of the file in batches, without the first `rowsDone` rows.
   * @throws ReaderEndedError if the thread has ended or the signal is aborted
   */
  async *batches(rowsDone: number, signal: AbortSignal): AsyncGenerator<readonly NumberedRow[]> {
    for (;;) {
      const result = await this.#ask({ kind: 'rows', rowsDone }, signal);
      if (result.kind !== 'rows' || result.rows.length === 0) {
        return;
      }
      yield result.rows;
    }
  }

  /** Stops the thread immediately, even while it reads a row of the file. */
  close(): Promise<void> {
    return this.#threads.destroy();
  }

  async #ask(task: ReadingTask, stop?: AbortSignal): Promise<ReadingResult> {
    const silence = new AbortController();
    const watching = this.#watch(silence);
    const limit = startTimeLimit(this.answerMs);
    const limits = [silence.signal, limit.signal];
    const signal = AbortSignal.any(stop === undefined ? limits : [...limits, stop]);
    try {
      return await this.#threads.run(task, { signal });
    } catch (error) {
      throw new ReaderEndedError('The thread that read the file has ended.', { cause: error });
    } finally {
      clearInterval(watching);
      limit.stop();
    }
  }

  #watch(silence: AbortController): NodeJS.Timeout {
    let last = -1;
    return setInterval(() => {
      const beats = Atomics.load(this.#beats, 0);
      if (beats === last) {
        silence.abort(new Error(`It was silent for ${this.silenceMs} ms.`));
      }
      last = beats;
    }, this.silenceMs);
  }
}

const errorOf = ({ isFormatKnown, reason }: ReadingRefusal): Error =>
  isFormatKnown ? new UnreadableFileError(reason) : new UnknownFormatError();
