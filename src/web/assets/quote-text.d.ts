/** Declares the types of `quote-text.js` for its tests in TypeScript. */

/** The source of a quote. An empty text is left out. */
export interface QuoteSource {
  readonly title: string;
  readonly by: string;
  readonly url: string;
}

/** Returns a quote with its source as plain text. `quoted` is the quote in quotation marks. */
export declare function quoteText(quoted: string, source: QuoteSource): string;

/** Returns a quote with its source as HTML. `quote` has no quotation marks. */
export declare function quoteHtml(quote: string, source: QuoteSource): string;
