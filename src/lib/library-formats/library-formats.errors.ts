/** Thrown if Satchel cannot import the format of a file. */
export class UnknownFormatError extends Error {
  constructor() {
    super('The file is no export that can be imported (docs/use/import-formats.md lists them).');
  }
}

/**
 * Thrown if a file of any format cannot be imported, for example because the file is empty, is broken, or contains
 * passwords.
 */
export class UnreadableFileError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
  }
}
