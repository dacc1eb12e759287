import type { PageVisitor } from './page-visitor.js';
import { until } from './processes.js';
import type { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

export const PARAGRAPH = `<p>${'The moon pulls the water of all seas twice on each day. '.repeat(12)}</p>`;
export const ARTICLE = `<!doctype html><title>Tides</title><article><h1>Tides</h1>${PARAGRAPH.repeat(3)}</article>`;

interface Writer {
  readonly api: ReadingListApi;
  readonly visitor: PageVisitor;
  readonly userId: string;
}

/** A user who saves lists with rules. */
export class RuleWriter {
  constructor(
    private readonly app: TestApp,
    private readonly writer: Writer,
  ) {}

  /** Saves a list of a view, and returns the address of its page. */
  async listOf(path: string, name = 'Rule'): Promise<string> {
    const { visitor, userId } = this.writer;
    const form = await visitor.form(path, '/list/lists');
    await visitor.submit(form, { name }).expect(303);
    const [row] = await this.app.database.query<{ id: string }>(
      'SELECT id FROM saved_lists WHERE user_id = $1 AND name = $2',
      [userId, name],
    );
    return `/list/lists/edit?id=${row!.id}`;
  }

  async rule(path: string, fields: Record<string, string>): Promise<void> {
    const { visitor } = this.writer;
    const form = await visitor.form(path, '/list/lists/rule');
    await visitor.submit(form, fields).expect(303);
  }

  /** Makes the saved searches include the articles. The page of an empty search offers only a search of the titles. */
  async searchesArticles(): Promise<void> {
    await this.app.database.query(
      `UPDATE saved_lists SET conditions = conditions - 'in' WHERE user_id = $1`,
      [this.writer.userId],
    );
  }

  /** Waits until the rules have handled all events of the user. */
  handled(): Promise<void> {
    return until(async () => (await this.rowsOf('list_events')) === 0);
  }

  async rowsOf(table: string): Promise<number> {
    const { userId } = this.writer;
    const rows = await this.app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [userId]);
    return rows.length;
  }

  /** Sends another page of an item, and waits until it is written to the item. */
  async fetched(url: string, id: string): Promise<void> {
    const { api } = this.writer;
    const before = (await api.item(id))?.word_count;
    await api.add({ url, html: ARTICLE.replace('</article>', `${PARAGRAPH}</article>`) });
    await until(async () => (await api.item(id))?.word_count !== before);
  }
}
