import { PageReader } from '../../src/articles/resolver/page-reader.js';

/** A page reader that never finishes. */
export class EndlessReader extends PageReader {
  override read(): Promise<never> {
    return new Promise(() => undefined);
  }

  override readHtml(): Promise<never> {
    return new Promise(() => undefined);
  }
}
