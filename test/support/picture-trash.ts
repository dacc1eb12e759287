import { PageReader, type ParsedPage } from '../../src/articles/resolver/page-reader.js';
import { Clock } from '../../src/platform/common/clock.js';
import { DeletedItemRepository } from '../../src/reading-list/deletions/deleted-item.repository.js';
import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { Trash } from '../../src/reading-list/deletions/trash.service.js';
import { ListRepository } from '../../src/reading-list/list/list.repository.js';
import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { keepSentPage, sentPage } from '../../src/reading-list/pages/page-requests.js';
import { aParsedPage } from './a-page.js';
import type { PictureWorld } from './picture-world.js';
import { resolverParts } from './resolver-parts.js';

/** A page reader that finds the same page in all HTML that clients send. */
class FoundPage extends PageReader {
  constructor(private readonly page: ParsedPage) {
    super();
  }

  override read(): Promise<never> {
    return Promise.reject(new Error('The page of an item is not fetched.'));
  }

  override readHtml(): Promise<ParsedPage> {
    return Promise.resolve(this.page);
  }
}

/** Private pages with pictures, and the trash to which their items move. */
export class PictureTrash {
  private readonly deletions: DeletionsService;
  private readonly trash: Trash;

  constructor(private readonly world: PictureWorld) {
    const { database } = world.lists;
    const clock = new Clock();
    const transactions = new ListTransactions(database, clock, ListRepository.in(database.manager));
    this.deletions = new DeletionsService(transactions);
    this.trash = new Trash(transactions, DeletedItemRepository.in(database.manager), clock);
  }

  /** Saves an item and sends its page, with pictures of the host. */
  async sendPageOf(userId: string, name: string, ...paths: string[]): Promise<void> {
    const { lists, host } = this.world;
    const url = `https://${name}.example`;
    await lists.results(userId, [{ action: 'add', url }]);
    const itemId = await this.idOf(userId, name);
    const sent = await sentPage('<p>Only I may read these words.</p>');
    await lists.database.transaction(async (manager) => {
      const storedBytes = sent.stored.length;
      await ListRepository.in(manager).moveStorage(userId, { storedBytes, mayStoreLess: false });
      await keepSentPage(manager, { userId, itemId, url }, sent);
    });
    const { record, ...page } = aParsedPage();
    const texts = { credit: '', caption: '' };
    const images = paths.map((path) => ({
      src: host.url(`/${path}`),
      width: 0,
      height: 0,
      ...texts,
    }));
    const item = { ...record.item, topImageUrl: '', media: { ...record.item.media, images } };
    const reader = new FoundPage({ ...page, record: { ...record, item } });
    await resolverParts(lists.database)
      .sentPages(reader)
      .keep({ userId, itemId, url, html: sent.html, version: sent.version });
  }

  /** Moves items to the trash. */
  async moveOf(userId: string, ...names: string[]): Promise<void> {
    await this.deletions.delete(userId, await this.idsOf(userId, names));
  }

  async restoreOf(userId: string, ...names: string[]): Promise<void> {
    await this.deletions.restore(userId, await this.idsOf(userId, names));
  }

  async removeOf(userId: string, name: string): Promise<void> {
    await this.trash.remove(userId, [await this.idOf(userId, name)]);
  }

  /** Removes all items that have been in the trash for 30 days, as if they were there for the interval longer. */
  async expireAfter(interval: string): Promise<void> {
    await this.world.lists.tables.query(
      `UPDATE deleted_items SET deleted_at = deleted_at - $1::interval`,
      [interval],
    );
    await this.trash.sweep();
  }

  /** Returns the number of pictures that are kept for pages in the trash. */
  async links(): Promise<number> {
    return (await this.world.lists.tables.query('SELECT FROM trashed_pictures')).length;
  }

  private idsOf(userId: string, names: readonly string[]): Promise<string[]> {
    return Promise.all(names.map((name) => this.idOf(userId, name)));
  }

  private async idOf(userId: string, name: string): Promise<string> {
    const [row] = await this.world.lists.tables.query<{ id: string }>(
      `SELECT item_id AS id FROM items WHERE user_id = $1 AND given_url = $2
       UNION SELECT item_id FROM deleted_items WHERE user_id = $1 AND item->>'given_url' = $2`,
      [userId, `https://${name}.example`],
    );
    return row!.id;
  }
}
