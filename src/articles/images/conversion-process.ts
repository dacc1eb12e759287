import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { Logger } from '@nestjs/common';

import { reasonOf } from '../../lib/util/reason.js';
import { startTimeLimit } from '../../lib/util/time-limit.js';
import { workerFile } from '../../lib/util/worker-file.js';
import { FairQueue } from '../../platform/jobs/fair-queue.js';
import type { ImageSize } from './convert-image.js';

const PROGRAM = new URL('./convert-image.process.js', import.meta.url);
/**
 * Time limit for the conversion of one picture, in milliseconds. The largest allowed picture takes far less, but not
 * all image decoders have their own limit.
 */
const LIMIT_MS = 20_000;
/** The time after which an idle conversion process ends, in milliseconds. Its end frees the memory of libvips. */
const IDLE_MS = 30_000;

/** The message that the service sends to the conversion process. */
export interface ConversionOrder {
  readonly source: Uint8Array;
  readonly size: ImageSize;
}

/** Thrown by conversions that are interrupted by the shutdown of the service. */
export class ConversionClosedError extends Error {}

/**
 * Converts pictures one at a time in a separate process. The process has its own threads and memory, and is killed if a
 * picture takes too long.
 */
export class ConversionProcess {
  readonly #logger = new Logger(ConversionProcess.name);
  readonly #queue = new FairQueue({ concurrency: 1 });
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly limitMs = LIMIT_MS,
    private readonly program = workerFile(PROGRAM),
  ) {}

  /**
   * Converts a picture. Returns undefined if the file is not a picture or takes too long. Users take turns: a picture
   * waits for at most one picture of each other user.
   *
   * @throws ConversionClosedError
   */
  convert(
    userId: string,
    source: Uint8Array,
    size: ImageSize = 'device',
  ): Promise<DeviceImage | undefined> {
    return this.#queue.run(userId, () => this.#converted({ source, size }));
  }

  /** Ends the conversion process, even in the middle of a picture. The waiting calls of `convert` are rejected. */
  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  async #converted(order: ConversionOrder): Promise<DeviceImage | undefined> {
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    try {
      const bytes = await answerOf(child, order, this.limitMs);
      return bytes instanceof Uint8Array ? deviceImageOf(Buffer.from(bytes)) : undefined;
    } catch (error) {
      this.#end();
      if (this.#isClosed) {
        throw new ConversionClosedError();
      }
      this.#logger.warn(`a picture was not converted: ${reasonOf(error)}`);
      return undefined;
    } finally {
      this.#idle = setTimeout(() => {
        this.#end();
      }, IDLE_MS).unref();
    }
  }

  /** Starts the conversion process without the environment variables of the service, because they contain secrets. */
  #start(): ChildProcess {
    if (this.#isClosed) {
      throw new ConversionClosedError();
    }
    const child = fork(this.program, {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.on('exit', () => {
      this.#child = this.#child === child ? undefined : this.#child;
    });
    child.on('error', (error) => {
      this.#logger.warn(`the process that converts pictures failed: ${reasonOf(error)}`);
    });
    return child;
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

/**
 * Sends a picture to the conversion process and returns the answer.
 * @throws Error if the process ends without an answer, or after `ms` milliseconds
 */
async function answerOf(child: ChildProcess, order: ConversionOrder, ms: number): Promise<unknown> {
  const settled = new AbortController();
  const stderr = lastLinesOf(child);
  const limit = startTimeLimit(ms);
  const signal = AbortSignal.any([settled.signal, limit.signal]);
  try {
    const answered = once(child, 'message', { signal });
    // Waits for 'close' instead of 'exit', because output of the process may arrive after 'exit'.
    const ended = once(child, 'close', { signal }).then(
      ([code, endedBy]: (number | string | null)[]) => {
        const how = endedBy ?? `status ${String(code)}`;
        throw new Error(`its process ended with ${how}: ${stderr.text || 'no output'}`);
      },
    );
    child.send(order);
    const message: readonly unknown[] = await Promise.race([answered, ended]);
    return message[0];
  } finally {
    limit.stop();
    settled.abort();
    stderr.stop();
  }
}

const MOST_CHARACTERS = 2000;

/** Collects the last characters that a process prints on standard error. */
function lastLinesOf({ stderr }: ChildProcess): { readonly text: string; stop: () => void } {
  let text = '';
  const add = (chunk: Buffer): void => {
    text = `${text}${chunk.toString()}`.slice(-MOST_CHARACTERS);
  };
  stderr?.on('data', add);
  return {
    get text() {
      return text.trim();
    },
    stop: () => stderr?.off('data', add),
  };
}

/** A picture that any e-reader can show. */
export interface DeviceImage {
  readonly type: 'image/jpeg' | 'image/png';
  readonly bytes: Buffer;
}

/** The first byte of every PNG file. No JPEG file starts with it. */
const PNG_START = 0x89;

/** Wraps a converted picture. The first byte shows if the picture is a PNG or a JPEG. */
export const deviceImageOf = (bytes: Buffer): DeviceImage => ({
  type: bytes[0] === PNG_START ? 'image/png' : 'image/jpeg',
  bytes,
});
