import { setFlagsFromString } from 'node:v8';

/**
 * V8 lets the heap grow to several times the live data before a full collection. This flag limits it to twice the live
 * data. A growth of 40 % would make polls a fifth more expensive (docs/research/performance.md).
 */
const FRUGAL_HEAP = '--heap-growing-percent=100';

/** Makes this process collect garbage early. */
export function useHeapFrugally(): void {
  setFlagsFromString(FRUGAL_HEAP);
}
