import { ServiceBusyError } from '../../src/common/common.errors.js';
import { OwnPages } from '../../src/resolver/own-pages.js';
import { PageReader } from '../../src/resolver/page-reader.js';
import { ListsOnPostgres } from '../support/a-list.js';

/** Begins to read, and never comes to an end. */
class EndlessReader extends PageReader {
  override read(): Promise<never> {
    return new Promise(() => undefined);
  }

  override readHtml(): Promise<never> {
    return new Promise(() => undefined);
  }
}

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());

describe('pages that clients send', () => {
  it('are refused when too many of them wait', async () => {
    const page = { userId: '1', itemId: '1', url: 'http://example.com', html: '' };
    const ownPages = new OwnPages(lists.database, new EndlessReader());
    const kept = Array.from({ length: 51 }, () => ownPages.keep(page));

    await expect(Promise.race([...kept, ownPages.keep(page)])).rejects.toThrow(ServiceBusyError);
  });
});
