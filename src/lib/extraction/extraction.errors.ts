/** Thrown if too many pages are queued for extraction. The caller can retry later. */
export class ExtractionQueueFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} pages wait for extraction already.`);
  }
}

/** Thrown if the pool of threads is closed, because the service is shutting down. */
export class ExtractionClosedError extends Error {
  constructor() {
    super('Extraction has ended.');
  }
}
