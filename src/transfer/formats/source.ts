/** A file, or an entry of an archive: it can be read from its beginning any number of times. */
export interface Source {
  /** Within an archive, as a label and never as a path; empty for a file by itself. */
  readonly path: string;
  bytes(): AsyncIterable<Uint8Array>;
  /** Another entry of the same archive, by its path relative to the folder of this one. */
  sibling(relativePath: string): Source | undefined;
}
