/** The properties that every page of the reader has. */
export interface ReaderPage {
  /** The section that the navigation highlights on the page. */
  readonly section: 'list' | 'save' | 'account';
}
