/** A file that is being sent. */
export interface Upload {
  readonly fileName: string;
  /** Throws MalformedBodyError where it breaks off, and ValidationFailedError where it is not all that was to come. */
  readonly file: AsyncIterable<Buffer>;
}

declare module 'express' {
  interface Request {
    /** Set by uploadBody, when the body has a file. */
    upload?: Upload;
  }
}
