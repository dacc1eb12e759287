import { PageReader } from '../../src/articles/resolver/page-reader.js';

/** Begins to read, and never comes to an end. */
export class EndlessReader extends PageReader {
  override read(): Promise<never> {
    return new Promise(() => undefined);
  }

  override readHtml(): Promise<never> {
    return new Promise(() => undefined);
  }
}
