import { Piscina } from 'piscina';

import type { ExtractionLimits } from './extraction-limits.js';

const YOUNG_HEAP_MB = 32;
const STACK_MB = 4;
/** A thread without work ends, and frees what a page made it take. */
const IDLE_MS = 30_000;

/** Threads that know nothing but their task: no environment, little memory. Those that are kept wait for another one. */
export function startThreads<Task, Result>(
  { threads, heapMb }: Pick<ExtractionLimits, 'threads' | 'heapMb'>,
  worker: string,
  kept = 0,
): Piscina<Task, Result> {
  const pool = new Piscina<Task, Result>({
    filename: worker,
    minThreads: kept,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: heapMb,
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      stackSizeMb: STACK_MB,
    },
  });
  // The task of a thread that dies is told; of one that dies idle there is nobody to tell.
  pool.on('error', () => undefined);
  return pool;
}

/** What one task may take. */
export interface TaskLimits {
  readonly ms: number;
  /** These go over to the thread without a copy, and are gone here. */
  readonly bytes: Uint8Array | undefined;
  /** Aborted when nobody wants the answer any more. */
  readonly signal: AbortSignal | undefined;
}

/** The answer of a thread, which is ended when it takes longer. */
export async function runWithin<Task, Result>(
  threads: Piscina<Task, Result>,
  task: Task,
  { ms, bytes, signal }: TaskLimits,
): Promise<Result> {
  const clock = new AbortController();
  const timer = setTimeout(() => {
    clock.abort(new Error(`Took more than ${ms} ms.`));
  }, ms);
  const end = signal === undefined ? clock.signal : AbortSignal.any([clock.signal, signal]);
  const transferList = bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
  try {
    return await threads.run(task, { signal: end, transferList });
  } finally {
    clearTimeout(timer);
  }
}
