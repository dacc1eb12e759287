import { Injectable } from '@nestjs/common';

import { AnotherAttempt } from '../../../articles/resolver/another-attempt.service.js';
import { Config } from '../../../platform/config/config.js';
import { type Action, bringing } from '../../../reading-list/actions/action.js';
import type { PageDetails } from '../../../reading-list/details/page-details.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { NOT_FETCHED } from '../../../reading-list/entities/page-columns.js';
import type { Address } from '../../../reading-list/list/address.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import {
  keepSentPage,
  requestPages,
  type SentPage,
  sentPage,
} from '../../../reading-list/pages/page-requests.js';
import { PageResolver } from '../../../reading-list/pages/page-resolver.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { Sharing } from '../../../reading-list/sharing/sharing.service.js';
import type { EntryChanges } from './entry.request.js';
import { EntryActions, type LockedEntries, refuseUnlessDone } from './entry-actions.service.js';

/**
 * The maximum time in milliseconds that a call waits for a page. Clients give up after ten seconds, and some never
 * retry.
 */
const MAX_WAIT_MS = 5000;

/** A saved item. `isFetched` is true if the item has a page that was fetched or that a client has sent. */
interface SavedEntry {
  readonly itemId: string;
  readonly url: string;
  readonly isFetched: boolean;
}

/** Changes of an entry. `sent` is the page content that the client has sent, in its stored form. */
interface WrittenChanges extends EntryChanges {
  readonly sent: SentPage | undefined;
}

/** The changes for a new entry if the client sends only its URL. */
const NOTHING_MORE: WrittenChanges = {
  title: undefined,
  tags: [],
  page: undefined,
  sent: undefined,
  archive: undefined,
  starred: undefined,
  isPublic: undefined,
  details: {},
};

/** Adds, changes and deletes single entries (docs/api/wallabag.md). */
@Injectable()
export class EntryWriter {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly actions: EntryActions,
    private readonly items: ItemRepository,
    private readonly sharing: Sharing,
    private readonly pages: PageResolver,
    private readonly attempts: AnotherAttempt,
    private readonly config: Config,
  ) {}

  /**
   * Saves a page and returns the id of the item. If the list already contains the page, adds the
   * tags to the existing item without changing its position in the list. Waits up to five seconds
   * for the page to be fetched.
   *
   * @throws ValidationFailedError, StorageFullError, ServiceBusyError
   */
  async save(
    userId: string,
    address: Address,
    changes: EntryChanges,
    waitMs: number = this.config.resolveWaitMs,
  ): Promise<string> {
    const sent = changes.page === undefined ? undefined : await sentPage(changes.page);
    const saved = await this.actions.underLock(userId, async (list) => {
      const entry = await this.saved(list, address, { ...changes, sent });
      await this.publish(list, entry.itemId, changes.isPublic);
      await keep(list, entry, sent);
      return entry;
    });
    await this.wait(userId, saved, sent, waitMs);
    return saved.itemId;
  }

  /**
   * Saves either all pages or none. Returns the id of each item. The pages are fetched later.
   *
   * @throws StorageFullError, ServiceBusyError
   */
  saveAll(userId: string, addresses: readonly Address[]): Promise<string[]> {
    return this.actions.underLock(userId, async (list) => {
      const ids: string[] = [];
      for (const address of addresses) {
        ids.push((await this.saved(list, address, NOTHING_MORE)).itemId);
      }
      return ids;
    });
  }

  /**
   * Changes an item. Tags in the request replace all tags of the item.
   *
   * @throws ItemNotFoundError, ValidationFailedError, StorageFullError, ServiceBusyError
   */
  async change(userId: string, itemId: string, changes: EntryChanges): Promise<void> {
    const sent = changes.page === undefined ? undefined : await sentPage(changes.page);
    const changed = await this.actions.underLock(userId, async (list) => {
      const items = ItemRepository.in(list.manager);
      const row = (await items.rowsById(userId, [itemId])).get(itemId);
      if (row === undefined) {
        throw new ItemNotFoundError();
      }
      refuseUnlessDone(await list.apply(changing(itemId, { ...changes, sent }, 'tags_replace')));
      const entry = entryOf(row);
      await this.publish(list, itemId, changes.isPublic);
      await keep(list, entry, sent);
      return entry;
    });
    // A change requests no fetch, so the call waits only for a page that the client has sent.
    if (sent !== undefined) {
      await this.wait(userId, changed, sent, this.config.resolveWaitMs);
    }
  }

  /**
   * Deletes an item permanently. Only deletions in the reader move items to the trash.
   *
   * @throws ItemNotFoundError if the item is missing
   */
  async delete(userId: string, itemId: string): Promise<void> {
    const [outcome] = await this.actions.delete(userId, [itemId]);
    if (outcome?.ok !== true || outcome.itemId === undefined) {
      throw new ItemNotFoundError();
    }
  }

  /**
   * Fetches the page of an item again. Returns false if the page was not fetched within five
   * seconds. Makes no attempt and returns false if a client has sent the page, or if the last
   * attempt was only a moment ago.
   *
   * @throws ItemNotFoundError if the item is missing
   */
  async reload(userId: string, itemId: string): Promise<boolean> {
    const row = (await this.items.rowsById(userId, [itemId])).get(itemId);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    const { given_url: givenUrl } = row;
    const isAsked = await this.attempts.requestAnew(userId, { itemId, givenUrl });
    const page = { userId, itemId, url: givenUrl, sent: undefined };
    return isAsked && (await this.pages.resolve(page, MAX_WAIT_MS));
  }

  private async saved(
    list: LockedEntries,
    address: Address,
    changes: WrittenChanges,
  ): Promise<SavedEntry> {
    const there = await this.at(list, address);
    return there === undefined ? added(list, address, changes) : this.changed(list, there, changes);
  }

  private async changed(
    list: LockedEntries,
    there: ItemRow,
    changes: WrittenChanges,
  ): Promise<SavedEntry> {
    const entry = entryOf(there);
    refuseUnlessDone(await list.apply(changing(entry.itemId, changes, 'tags_add')));
    if (!entry.isFetched && changes.page === undefined) {
      const terms = { perHour: this.config.resolverPagesPerHour };
      await requestPages(list.manager, list.userId, [{ ...entry, givenUrl: entry.url }], terms);
    }
    return entry;
  }

  /** Creates or revokes the public link of an item. Undefined changes nothing. */
  private async publish(
    { manager, userId }: LockedEntries,
    itemId: string,
    isPublic: boolean | undefined,
  ): Promise<void> {
    if (isPublic === true) {
      await this.sharing.shareIn(manager, { userId, itemId }, undefined);
    } else if (isPublic === false) {
      await this.sharing.revokeIn(manager, userId, [itemId]);
    }
  }

  /**
   * Returns the item that was saved with the URL. If there is none, returns an item whose page was
   * redirected to the URL, because clients also send URLs after redirects.
   */
  private async at(
    { manager, userId }: LockedEntries,
    address: Address,
  ): Promise<ItemRow | undefined> {
    const items = ItemRepository.in(manager);
    return (
      (await items.rowAt(userId, address)) ?? (await items.rowResolvedTo(userId, address.givenUrl))
    );
  }

  private async wait(
    userId: string,
    { itemId, url, isFetched }: SavedEntry,
    sent: SentPage | undefined,
    waitMs: number,
  ): Promise<void> {
    if (sent !== undefined || !isFetched) {
      await this.pages.resolve({ userId, itemId, url, sent }, Math.min(waitMs, MAX_WAIT_MS));
    }
  }
}

const entryOf = (row: ItemRow): SavedEntry => ({
  itemId: row.item_id,
  url: row.given_url,
  isFetched: row.resolved_id !== NOT_FETCHED,
});

/**
 * Adds an item and applies the other changes to it. The change that adds the item is first, because the other changes
 * need the item.
 */
async function added(
  list: LockedEntries,
  address: Address,
  { sent, tags, title, details, ...states }: WrittenChanges,
): Promise<SavedEntry> {
  const item = { address };
  const bringsPage = sent !== undefined;
  const outcomes = await list.apply([
    { action: 'add', item, title, tags, prefersGivenTitle: true, bringsPage, time: undefined },
    ...(states.archive === true ? [act('archive', item)] : []),
    ...(states.starred === true ? [act('favorite', item)] : []),
    ...describing(item, details),
    ...bringing(item, sent),
  ]);
  refuseUnlessDone(outcomes);
  const [saved] = outcomes;
  if (saved?.ok !== true || saved.itemId === undefined) {
    throw new Error('an item that was just saved has no id');
  }
  return { itemId: saved.itemId, url: address.givenUrl, isFetched: false };
}

async function keep(
  { manager, userId }: LockedEntries,
  { itemId, url }: SavedEntry,
  sent: SentPage | undefined,
): Promise<void> {
  if (sent !== undefined) {
    await keepSentPage(manager, { userId, itemId, url }, sent);
  }
}

type StateAction = 'archive' | 'undo_archive' | 'favorite' | 'unfavorite';

const act = (action: StateAction, item: Action<StateAction>['item']): Action => ({
  action,
  item,
  time: undefined,
});

/**
 * Returns the change that stores data about a page, such as its language. Returns an empty array if the client sent no
 * data about the page.
 */
const describing = (item: Action<'describe'>['item'], details: PageDetails): Action[] =>
  Object.keys(details).length === 0 ? [] : [{ action: 'describe', item, time: undefined, details }];

function changing(
  itemId: string,
  { title, tags, archive, starred, details, sent }: WrittenChanges,
  tagging: 'tags_add' | 'tags_replace',
): Action[] {
  const item = { itemId };
  const time = undefined;
  return [
    ...(title === undefined ? [] : [{ action: 'retitle', item, time, title } as const]),
    ...(tags.length === 0 ? [] : [{ action: tagging, item, time, tags } as const]),
    ...(archive === undefined ? [] : [act(archive ? 'archive' : 'undo_archive', item)]),
    ...(starred === undefined ? [] : [act(starred ? 'favorite' : 'unfavorite', item)]),
    ...describing(item, details),
    ...bringing(item, sent),
  ];
}
