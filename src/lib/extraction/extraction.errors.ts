/** Thrown if the queue of pages to extract is full. The caller can retry later. */
export class ExtractionQueueFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} pages wait for extraction already.`);
  }
}

/** Thrown if a page cannot be extracted because the service is shutting down. */
export class ExtractionClosedError extends Error {
  constructor() {
    super('Extraction has ended.');
  }
}
