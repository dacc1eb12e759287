/** The properties that every page of the reader has. */
export interface ReaderPage {
  /** The section of the navigation that contains the page. */
  readonly section: 'list' | 'save' | 'account';
}
