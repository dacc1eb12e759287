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
 * The time limit in milliseconds for converting one picture. The largest allowed picture takes far less. The limit is
 * necessary because some image decoders have no time limit of their own.
 */
const LIMIT_MS = 20_000;
/**
 * The time in milliseconds after which an idle conversion process ends. The end of the process frees the memory of the
 * library libvips.
 */
const IDLE_MS = 30_000;

/** The message with which the service requests a conversion from the conversion process. */
export interface ConversionOrder {
  readonly source: Uint8Array;
  readonly size: ImageSize;
}

/** Thrown by a conversion that the shutdown of the service has interrupted. */
export class ConversionClosedError extends Error {}

/**
 * Converts pictures one at a time in a separate process. The process has its own memory and threads, and is killed if a
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
   * Converts a picture. Returns undefined if the file is not a picture or takes too long. If several users have queued
   * pictures, the process converts one picture of each user in turn.
   * @throws ConversionClosedError
   */
  convert(
    userId: string,
    source: Uint8Array,
    size: ImageSize = 'device',
  ): Promise<DeviceImage | undefined> {
    return this.#queue.run(userId, () => this.#converted({ source, size }));
  }

  /** Ends the conversion process, even in the middle of a picture. Pending calls of `convert` are rejected. */
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

  /**
   * Starts the conversion process. The process gets none of the service's environment variables, because they contain
   * secrets.
   */
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
 * Sends a picture to the conversion process and returns the response.
 * @throws Error if the process ends without a response, or after `ms` milliseconds
 */
async function answerOf(child: ChildProcess, order: ConversionOrder, ms: number): Promise<unknown> {
  const settled = new AbortController();
  const stderr = lastLinesOf(child);
  const limit = startTimeLimit(ms);
  const signal = AbortSignal.any([settled.signal, limit.signal]);
  try {
    const answered = once(child, 'message', { signal });
    // Waits for the event 'close' instead of 'exit', because the error output of the process may arrive after 'exit'.
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

/** Collects the last characters of a process's error output. */
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

/** A picture in a format that every e-reader can show. */
export interface DeviceImage {
  readonly type: 'image/jpeg' | 'image/png';
  readonly bytes: Buffer;
}

/** The first byte of every PNG file. No JPEG file starts with it. */
const PNG_START = 0x89;

/** Returns the content type of a converted picture. The first byte shows if the picture is a PNG or a JPEG. */
export const typeFrom = (firstByte: number | undefined): DeviceImage['type'] =>
  firstByte === PNG_START ? 'image/png' : 'image/jpeg';

/** Returns a converted picture with its content type. */
export const deviceImageOf = (bytes: Buffer): DeviceImage => ({ type: typeFrom(bytes[0]), bytes });
