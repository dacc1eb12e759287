import { availableParallelism } from 'node:os';

/** What one page, and all of them, may cost (docs/resolving.md). */
export interface ExtractionLimits {
  readonly threads: number;
  /** Pages that may wait for a thread. */
  readonly queue: number;
  /** For all of a page, from when a thread takes it; 99 % of pages take less than a second. */
  readonly pageMs: number;
  /** For its head alone, in a thread that has to start first. */
  readonly headMs: number;
  readonly heapMb: number;
  /** A thread that has read so many pages ends: what its libraries hold on to goes with it. */
  readonly pagesPerThread: number;
}

export const EXTRACTION_LIMITS: ExtractionLimits = {
  threads: Math.max(1, availableParallelism() - 1),
  queue: 100,
  pageMs: 3_000,
  headMs: 3_000,
  heapMb: 256,
  pagesPerThread: 2_000,
};
