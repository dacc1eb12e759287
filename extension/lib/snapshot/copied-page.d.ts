/** A part of a snapshot that is loaded later: a picture, a linked style sheet, or styles that contain addresses. */
export interface SnapshotPart {
  readonly kind: 'picture' | 'sheet' | 'styles' | 'attribute';
  /** The address of the part, or the address to which the addresses in `css` are relative. */
  readonly url: string;
  /** The styles. For a linked style sheet, the rules that the browser shows to the extension. */
  readonly css: string;
}

/** A copy of a page without scripts, frames, event handlers and passwords, as the user sees it. */
export interface CopiedPage {
  /** The HTML. The number of each part is at its place, between the token and a semicolon. */
  readonly html: string;
  readonly token: string;
  readonly parts: SnapshotPart[];
  /** The number of elements that are missing, such as frames. */
  readonly omitted: number;
}
