import type { Response } from 'supertest';

import type { DomElement } from '../../src/lib/extraction/dom.js';
import { NO_MEDIA } from '../../src/reading-list/entities/page-columns.js';
import { type ItemPage, recordPages } from '../../src/reading-list/pages/record-pages.js';
import type { ListsOnPostgres } from './a-list.js';
import { aVisitor } from './oauth-api.js';
import { formIn, locationOf, type PageVisitor, shownText } from './page-visitor.js';
import { ReadingListApi } from './reading-list-api.js';
import { bodyOf } from './shown-list.js';
import { storeArticle } from './stored-articles.js';
import type { TestApp } from './test-app.js';

export const DUPLICATES = '/list/duplicates';

interface SavedPage extends Partial<ItemPage> {
  /** The HTML of the article. */
  readonly html?: string;
}

/** The page of an item, as if it had been fetched. */
const PAGE: Omit<ItemPage, 'resolvedId' | 'resolvedUrl'> = {
  resolvedTitle: 'Ferns',
  excerpt: 'It begins.',
  lang: 'en',
  isArticle: true,
  isIndex: false,
  hasImage: 0,
  hasVideo: 0,
  isPdf: false,
  wordCount: 300,
  topImageUrl: '',
  media: NO_MEDIA,
};

/** A user with duplicates in the list. */
export class DuplicateReader {
  private constructor(
    private readonly app: TestApp,
    private readonly lists: ListsOnPostgres,
    readonly api: ReadingListApi,
    readonly visitor: PageVisitor,
  ) {}

  static async of(app: TestApp, lists: ListsOnPostgres): Promise<DuplicateReader> {
    return DuplicateReader.at(app, lists, await ReadingListApi.of(app));
  }

  /** Returns the same user at another instance. */
  static async at(
    app: TestApp,
    lists: ListsOnPostgres,
    api: ReadingListApi,
  ): Promise<DuplicateReader> {
    return new DuplicateReader(app, lists, api, await aVisitor(app, api.user));
  }

  /** Saves an address whose page is an article at `resolvedUrl`. Returns the id of the item. */
  async saved(url: string, resolvedUrl: string, page: SavedPage = {}): Promise<string> {
    const itemId = await this.api.saved(url);
    await this.fetched(itemId, resolvedUrl, page);
    return itemId;
  }

  async fetched(
    itemId: string,
    resolvedUrl: string,
    { html, ...page }: SavedPage = {},
  ): Promise<void> {
    const userId = this.api.user.id;
    await storeArticle(this.app.database, userId, itemId, html);
    const [row] = await this.app.database.query<{ resolved_id: string }>(
      'SELECT resolved_id FROM items WHERE user_id = $1 AND item_id = $2',
      [userId, itemId],
    );
    const copied = { ...PAGE, resolvedUrl, resolvedId: row?.resolved_id ?? '', ...page };
    await this.lists.database.transaction((manager) =>
      recordPages(manager, userId, new Map([[itemId, copied]])),
    );
  }

  /** Saves a short link and its target, which are a group. Returns the ids of both. */
  async pair(name = 'ferns'): Promise<readonly [short: string, target: string]> {
    const target = `https://site.example/${name}`;
    const short = await this.saved(`https://short.example/${name}`, target);
    return [short, await this.saved(target, target)];
  }

  open(path = DUPLICATES): Promise<Response> {
    return this.visitor.open(path).expect(200).then();
  }

  /** Returns the addresses in each group of a page. */
  async groups(path = DUPLICATES): Promise<string[][]> {
    return groupsOf(await this.open(path)).map((group) =>
      [...group.querySelectorAll('label')].map(({ textContent }) => textContent ?? ''),
    );
  }

  /** Merges the items. Returns the text of the notice on the next page. */
  async merge(keep: string, ...others: readonly string[]): Promise<string> {
    const back = DUPLICATES;
    const _csrf = await this.visitor.csrfToken();
    const form = { _csrf, back, keep, 'item[]': [...others, keep] };
    const answer = await this.visitor.post(DUPLICATES, form).expect(303);
    return shownText(await this.open(locationOf(answer)), '.done p');
  }

  /** Merges all groups of the page. Returns the next page. */
  async mergeAll(): Promise<Response> {
    const page = await this.open();
    const inputs = [...bodyOf(page).querySelectorAll('#merge-all [name="group[]"]')];
    const groups = inputs.map((input) => input.getAttribute('value') ?? '');
    const { fields } = formIn(page, DUPLICATES);
    const form = { _csrf: fields['_csrf'] ?? '', back: DUPLICATES, 'group[]': groups };
    return this.open(locationOf(await this.visitor.post(DUPLICATES, form).expect(303)));
  }

  /** Adds a highlight to an item. */
  async highlight(itemId: string, quote: string): Promise<void> {
    const annotation = {
      annotation_id: `${itemId}-${quote.length}`,
      quote,
      patch: quote,
      version: '2',
    };
    const [isAdded] = await this.api.results({
      action: 'add_annotation',
      item_id: itemId,
      annotation,
    });
    expect(isAdded).toBe(true);
  }

  /** Returns the highlighted texts of an item. The API also shows its note as an annotation, but without a text. */
  async quotes(itemId: string): Promise<string[]> {
    const found = (await this.api.item(itemId))?.annotations ?? [];
    return found
      .map(({ quote }) => quote)
      .filter((quote) => quote !== '')
      .sort();
  }

  async ids(members: object = {}): Promise<string[]> {
    return (await this.api.items({ state: 'all', ...members })).map(({ item_id: id }) => id).sort();
  }

  faults(): Promise<object[]> {
    return this.lists.faults(this.api.user.id);
  }
}

export const groupsOf = (page: Response): DomElement[] => [
  ...bodyOf(page).querySelectorAll('form.duplicates'),
];
