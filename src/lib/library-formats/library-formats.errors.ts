/** Thrown if a file is not in a format that can be imported. */
export class UnknownFormatError extends Error {
  constructor() {
    super('The file is no export that can be imported (docs/use/import-formats.md lists them).');
  }
}

/** Thrown if nothing can be imported from a file, whatever its format is. */
export class UnreadableFileError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
  }
}
