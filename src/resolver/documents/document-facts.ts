/** What a document that is no page of HTML tells of itself; absent is what it does not tell. */
export interface DocumentFacts {
  readonly title?: string;
  readonly excerpt?: string;
  readonly author?: string;
  readonly language?: string;
  /** Of the whole document. */
  readonly wordCount?: number;
  /** In pixels, as it is shown. */
  readonly width?: number;
  readonly height?: number;
}

/** What a thread makes of a document. */
export interface DescribedDocument {
  readonly facts: DocumentFacts;
  /** By which its text was read, in upper case; "" for what is no text. */
  readonly encoding: string;
}

export const MAX_TITLE = 300;
export const MAX_EXCERPT = 300;
