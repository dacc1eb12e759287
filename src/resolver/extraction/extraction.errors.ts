/** More pages wait for extraction than may: whoever brings them has to bring them later. */
export class ExtractionQueueFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} pages wait for extraction already.`);
  }
}

/** The pool is closed, and so is the service. */
export class ExtractionClosedError extends Error {
  constructor() {
    super('Extraction has ended.');
  }
}
