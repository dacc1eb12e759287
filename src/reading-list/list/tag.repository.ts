import { Any, ILike, MoreThan, Repository } from 'typeorm';

import { allowLongStatements, queryRows } from '../../database/query-rows.js';
import type { Tag } from '../entities/tag.entity.js';
import { domainRange } from '../query/conditions.js';
import { LONGEST_STATEMENT_SECONDS } from './item.repository.js';
import { titlePhrases } from './item-texts.js';
import type { ItemTagRow, ListChanges, RetaggedTag } from './list-changes.js';
import type { StoredTag } from './list-state.js';
import { RETAG_ALL, SUGGEST_TAGS, TAG_NAMES, WRITE_TAGS } from './tag.sql.js';
import { tagId } from './tag-name.js';

/** How the number of items that carry a tag moved. */
interface TagMove {
  readonly tagId: string;
  readonly by: number;
}

/** How the counters moved while all items of a list were retagged. */
export interface BulkMoves {
  readonly tags: readonly TagMove[];
  /** By the facet that the items have now: they were counted as tagged. */
  readonly untagged: ReadonlyMap<number, number>;
}

/** A page for which tags are suggested. */
export interface PageToTag {
  /** Left out of what is looked at; "0" for a page that is not saved. */
  readonly itemId: string;
  readonly domain: string;
  readonly titles: readonly string[];
  /** The tags it has already, by name. */
  readonly tags: readonly string[];
}

/** A tag of the user, and how well it fits, from 0 to 1. */
export interface SuggestedTag {
  readonly tag: string;
  readonly score: number;
}

interface Move {
  readonly counter: 'tag' | 'untagged';
  readonly key: string;
  readonly by: number;
}

/** The tags of users, and which items carry them. */
export class TagRepository extends Repository<Tag> {
  /** Those of the tags that exist. */
  async load(userId: string, ids: readonly string[]): Promise<StoredTag[]> {
    const found = ids.length === 0 ? [] : await this.findBy({ userId, tagId: Any([...ids]) });
    return found.map(({ tagId: id, name, itemCount }) => ({ id, name, itemCount }));
  }

  /** The names in order; undefined when none came, went or was renamed after the version. */
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

  /** The tags with a part in their names, and how many items have them, in the order of their names. */
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

  /** The ten tags of the user that fit best (docs/api/suggested-tags.md). */
  suggest(userId: string, { itemId, domain, titles, tags }: PageToTag): Promise<SuggestedTag[]> {
    const { from, below } = domainRange(domain);
    const named = titles.flatMap(titlePhrases).map(tagId);
    return queryRows<SuggestedTag>(this.manager, SUGGEST_TAGS, [
      ...[userId, from, below],
      ...[itemId, named, tags],
    ]);
  }

  /** Writes which items carry which tags, and the tags themselves; the set of names has a new version when it changes. */
  async write(
    [userId, version]: readonly [userId: string, version: string],
    { tagRows: { removed, inserted }, newNames }: ListChanges,
    moves: readonly TagMove[],
  ): Promise<void> {
    if (removed.length + inserted.length + newNames.length + moves.length === 0) {
      return;
    }
    await queryRows(this.manager, WRITE_TAGS, [
      userId,
      ...columnsOf(removed),
      ...columnsOf(inserted),
      moves.map(({ tagId: id }) => id),
      moves.map(({ by }) => by),
      newNames.map(({ id }) => id),
      newNames.map(({ name }) => name),
      newNames.map(({ number }) => number),
      version,
      newNames.length > 0,
    ]);
  }

  /** Renames and deletes tags on all items of the list, however many, in one statement. */
  async retagAll(
    owner: readonly [userId: string, version: string],
    { now, retagged }: ListChanges,
  ): Promise<BulkMoves> {
    if (retagged.length === 0) {
      return { tags: [], untagged: new Map() };
    }
    await allowLongStatements(this.manager, LONGEST_STATEMENT_SECONDS);
    const values = [...owner, now, ...retaggedColumns(retagged)];
    const moves = await queryRows<Move>(this.manager, RETAG_ALL, values);
    const untagged = moves.filter(({ counter }) => counter === 'untagged');
    return {
      tags: moves
        .filter(({ counter }) => counter === 'tag')
        .map(({ key, by }) => ({ tagId: key, by })),
      untagged: new Map(untagged.map(({ key, by }) => [Number(key), by])),
    };
  }
}

const columnsOf = (rows: readonly ItemTagRow[]): unknown[] => [
  rows.map(({ tagId: id }) => id),
  rows.map(({ addedOrder }) => addedOrder),
  rows.map(({ itemId }) => itemId),
];

const retaggedColumns = (retagged: readonly RetaggedTag[]): unknown[] => [
  retagged.map(({ from }) => from.id),
  retagged.map(({ from }) => from.name),
  retagged.map(({ to }) => to?.id),
  retagged.map(({ to }) => to?.name),
];
