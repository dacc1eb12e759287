import { Any, ILike, MoreThan } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { Tag } from '../entities/tag.entity.js';
import { domainRange } from '../query/conditions.js';
import { LONGEST_STATEMENT_SECONDS } from './item.repository.js';
import { titlePhrases } from './item-texts.js';
import type { ItemTagRow, ListChanges, RetaggedTag } from './list-changes.js';
import type { StoredTag } from './list-state.js';
import {
  CARRIERS,
  COUNT_TAGS,
  DELETE_EMPTY_TAGS,
  DELETE_ITEM_TAGS,
  INSERT_ITEM_TAGS,
  JOIN_ITEM_TAGS,
  NAME_TAGS,
  RENEW_TAGS_VERSION,
  RETAG_ITEMS,
  SOME_CARRIERS,
  SUGGEST_TAGS,
  TAG_NAMES,
} from './tag.sql.js';
import { tagId } from './tag-name.js';

interface TagMoved {
  readonly tagId: string;
  readonly by: number;
}

/** The changes of a list's counters after tags are renamed or deleted on all items of the list. */
export interface BulkMoves {
  /** The number of items whose tags have changed. */
  readonly items: number;
  readonly tags: readonly TagMoved[];
  /**
   * The number of items that lost their last tag, per new facet (combination of item properties).
   * The caller must update the facet counters of the list.
   */
  readonly untagged: ReadonlyMap<number, number>;
}

/** A page for which tags are suggested. */
export interface PageToTag {
  /** The id of the item, so that the page is not compared with itself. "0" if the page is not saved. */
  readonly itemId: string;
  readonly domain: string;
  readonly titles: readonly string[];
  /** The names of the tags that the page already has. */
  readonly tags: readonly string[];
}

/** A tag of the user, with a score from 0 to 1 for how well it fits the page. */
export interface SuggestedTag {
  readonly tag: string;
  readonly score: number;
}

interface Retagging {
  /** The current time in Unix seconds. */
  readonly now: number;
  readonly retagged: readonly RetaggedTag[];
  readonly rows: readonly ItemTagRow[];
}

/** Stores the tags of users, and the rows of `item_tags`, which assign tags to items. */
export class TagRepository extends CustomRepository<Tag> {
  static readonly entity = Tag;

  /** Returns the stored tags with these ids. Skips ids without a stored tag. */
  async load(userId: string, ids: readonly string[]): Promise<StoredTag[]> {
    const found = ids.length === 0 ? [] : await this.findBy({ userId, tagId: Any([...ids]) });
    return found.map(({ tagId: id, name, itemCount }) => ({ id, name, itemCount }));
  }

  /**
   * Returns the sorted names of all tags. Returns undefined if no tag name was added, removed or changed since the list
   * version `changedSince`.
   */
  async names(userId: string, changedSince = 0): Promise<string[] | undefined> {
    const [row] = await queryRows<{ tags_stamp: string; names: string[] }>(
      this.manager,
      TAG_NAMES,
      [userId],
    );
    if (row === undefined) {
      return changedSince === 0 ? [] : undefined;
    }
    return changedSince === 0 || Number(row.tags_stamp) > changedSince ? row.names : undefined;
  }

  /** Returns the tags whose names contain `part`, with their numbers of items, in the order of their names. */
  async counted(
    userId: string,
    { part, limit }: { readonly part: string; readonly limit: number },
  ): Promise<StoredTag[]> {
    const found = await this.find({
      where: {
        userId,
        itemCount: MoreThan(0),
        ...(part !== '' && { name: ILike(`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`) }),
      },
      order: { name: 'ASC' },
      take: limit,
    });
    return found.map(({ tagId: id, name, itemCount }) => ({ id, name, itemCount }));
  }

  /** Returns the ten tags of the user that fit the page best (docs/api/suggested-tags.md). */
  suggest(userId: string, { itemId, domain, titles, tags }: PageToTag): Promise<SuggestedTag[]> {
    const { from, below } = domainRange(domain);
    const named = titles.flatMap(titlePhrases).map(tagId);
    return queryRows<SuggestedTag>(this.manager, SUGGEST_TAGS, [
      ...[userId, from, below],
      ...[itemId, named, tags],
    ]);
  }

  /**
   * Writes the tags and the rows of `item_tags`. If a tag name was added, removed or changed, also stores the new list
   * version in `lists.tags_stamp`.
   */
  async write(
    [userId, version]: readonly [userId: string, version: string],
    { tagRows: { removed, inserted }, newNames }: Pick<ListChanges, 'tagRows' | 'newNames'>,
    moves: readonly TagMoved[],
  ): Promise<void> {
    const named = newNames.map(({ id }) => id);
    const counts = summed([...moves, ...movesOf(removed, -1), ...movesOf(inserted, 1)]);
    const fewer = counts.filter(({ by }) => by < 0).map(({ tagId: id }) => id);
    const vanishing = [...named, ...fewer];
    await Promise.all([
      this.whenAny(removed, DELETE_ITEM_TAGS, [userId, ...columnsOf(removed)]),
      this.whenAny(inserted, INSERT_ITEM_TAGS, [userId, ...columnsOf(inserted)]),
      this.whenAny(newNames, NAME_TAGS, [userId, ...namedColumns(newNames)]),
      this.whenAny(counts, COUNT_TAGS, [userId, ...movedColumns(counts)]),
      this.whenAny(vanishing, RENEW_TAGS_VERSION, [userId, version, named.length > 0, vanishing]),
      this.whenAny(vanishing, DELETE_EMPTY_TAGS, [userId, vanishing]),
    ]);
  }

  /** Renames or deletes tags on all items of the list in one transaction, regardless of the number of items. */
  async retagAll(
    owner: readonly [userId: string, version: string],
    { now, retagged }: ListChanges,
  ): Promise<BulkMoves> {
    if (retagged.length === 0) {
      return { items: 0, tags: [], untagged: new Map() };
    }
    const sources = retagged.map(({ from }) => from.id);
    const [, rows] = await Promise.all([
      allowLongStatements(this.manager, LONGEST_STATEMENT_SECONDS),
      this.carriers(owner[0], sources),
    ]);
    return this.retag(owner, { now, retagged, rows });
  }

  /** Returns all `item_tags` rows of the tags with these ids. */
  carriers(userId: string, ids: readonly string[]): Promise<ItemTagRow[]> {
    return queryRows<ItemTagRow>(this.manager, CARRIERS, [userId, ids]);
  }

  /** Returns the first `item_tags` rows of a tag, up to `atMost` rows. */
  someCarriers(userId: string, id: string, atMost: number): Promise<ItemTagRow[]> {
    return queryRows<ItemTagRow>(this.manager, SOME_CARRIERS, [userId, id, atMost]);
  }

  /**
   * Renames or deletes tags on the items in `rows`. Returns the changes of the counters, which the caller must write.
   */
  async retag(
    [userId, version]: readonly [userId: string, version: string],
    { now, retagged, rows }: Retagging,
  ): Promise<BulkMoves> {
    const targets = new Map(retagged.map(({ from, to }) => [from.id, to?.id]));
    const left = rows.filter(({ tagId: id }) => targets.get(id) !== id);
    const joined = left.flatMap((row) => {
      const target = targets.get(row.tagId);
      return target === undefined ? [] : [{ ...row, tagId: target }];
    });
    const items = [...new Set(rows.map(({ itemId }) => itemId))];
    const [, came, changed] = await Promise.all([
      this.whenAny(left, DELETE_ITEM_TAGS, [userId, ...columnsOf(left)]),
      this.whenAny<CameRow>(joined, JOIN_ITEM_TAGS, [userId, ...columnsOf(joined)]),
      this.whenAny<RetaggedRow>(items, RETAG_ITEMS, [
        ...[userId, version, now, items],
        newNamesOf(retagged),
      ]),
    ]);
    const arrived = came.map(({ tag_id: tagId }) => ({ tagId }));
    return {
      items: changed.length,
      tags: summed([...movesOf(left, -1), ...movesOf(arrived, 1)]),
      untagged: tally(changed.filter((one) => one.isUntagged).map(({ facet }) => facet)),
    };
  }

  private async whenAny<Row extends object>(
    rows: readonly unknown[],
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return rows.length === 0 ? [] : queryRows<Row>(this.manager, text, values);
  }
}

interface CameRow {
  readonly tag_id: string;
}

interface RetaggedRow {
  readonly facet: number;
  readonly isUntagged: boolean;
}

function tally<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

const movesOf = (rows: readonly Pick<ItemTagRow, 'tagId'>[], by: 1 | -1): TagMoved[] =>
  rows.map(({ tagId: id }) => ({ tagId: id, by }));

/** Adds up the changes per tag. Leaves out tags whose changes add up to 0. */
function summed(moves: readonly TagMoved[]): TagMoved[] {
  const sums = new Map<string, number>();
  for (const { tagId: id, by } of moves) {
    sums.set(id, (sums.get(id) ?? 0) + by);
  }
  return [...sums].filter(([, by]) => by !== 0).map(([id, by]) => ({ tagId: id, by }));
}

const columnsOf = (rows: readonly ItemTagRow[]): unknown[] => [
  rows.map(({ tagId: id }) => id),
  rows.map(({ addedOrder }) => addedOrder),
  rows.map(({ itemId }) => itemId),
];

const namedColumns = (names: ListChanges['newNames']): unknown[] => [
  names.map(({ id }) => id),
  names.map(({ name }) => name),
  names.map(({ number }) => number),
];

const movedColumns = (moves: readonly TagMoved[]): unknown[] => [
  moves.map(({ tagId: id }) => id),
  moves.map(({ by }) => by),
];

/** Returns a JSON object that maps each old tag name to its new name, or to null for a tag that is deleted. */
const newNamesOf = (retagged: readonly RetaggedTag[]): string =>
  JSON.stringify(
    Object.fromEntries(
      retagged.map(({ from, to }) => [from.name, to?.name.toWellFormed() ?? null]),
    ),
  );
