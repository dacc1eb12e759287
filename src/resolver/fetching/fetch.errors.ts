/** A connection that would have left the public internet. */
export class NotPublicError extends Error {
  constructor() {
    super('The address is not public.');
  }
}

/** A host name that has no usable answer. */
export class NameNotResolvedError extends Error {
  constructor(
    readonly isTemporary: boolean,
    cause?: unknown,
  ) {
    super('The name has no address.', { cause });
  }
}

/** An answer that goes beyond what any page needs. */
export class AnswerTooLongError extends Error {
  constructor(what: string) {
    super(`The answer has too many ${what}.`);
  }
}

/** A content-encoding that was not offered. */
export class UnknownEncodingError extends Error {
  constructor() {
    super('The content-encoding is none of those that were offered.');
  }
}
