import { Injectable } from '@nestjs/common';

import type { Item } from '../entities/item.entity.js';
import { AnnotationRepository } from '../list/annotation.repository.js';
import {
  type DuplicateKind,
  DuplicateRepository,
  type GroupPlace,
} from './duplicate.repository.js';
import { hasSamePage, isSameArticle } from './same-article.js';

/** Items that are the same article, the earliest addition first. */
export interface DuplicateGroup {
  readonly items: readonly Item[];
  /** The number of highlights of each item, keyed by item id. Omits items without highlights. */
  readonly highlights: ReadonlyMap<string, number>;
}

interface FoundGroups {
  readonly groups: readonly DuplicateGroup[];
  /** The last of these groups. Undefined if no groups follow. */
  readonly last: GroupPlace | undefined;
}

interface GroupsWanted {
  readonly kind: DuplicateKind;
  readonly after?: GroupPlace | undefined;
  readonly count: number;
}

/** Finds the items of a user that are the same article at several addresses (docs/decisions/0141). */
@Injectable()
export class FindDuplicates {
  constructor(
    private readonly duplicates: DuplicateRepository,
    private readonly annotations: AnnotationRepository,
  ) {}

  async page(userId: string, { kind, after, count }: GroupsWanted): Promise<FoundGroups> {
    const rows = await this.duplicates.groups(userId, kind, { after, count: count + 1 });
    const shown = rows.slice(0, count);
    const itemIds = [...new Set(shown.flatMap((row) => row.itemIds))];
    const items = await this.duplicates.itemsById(userId, itemIds);
    const highlights = await this.highlightsOf(userId, itemIds);
    const isSame = kind === 'certain' ? hasSamePage : isSameArticle;
    const groups = shown.flatMap((row) => {
      const [first, ...others] = row.itemIds.flatMap((id) => items.get(id) ?? []);
      const same = first === undefined ? [] : others.filter((other) => isSame(first, other));
      return first === undefined || same.length === 0
        ? []
        : [{ items: [first, ...same], highlights }];
    });
    return { groups, last: rows.length > count ? shown.at(-1) : undefined };
  }

  private async highlightsOf(
    userId: string,
    itemIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { itemId } of await this.annotations.places(userId, { ids: [], itemIds })) {
      counts.set(itemId, (counts.get(itemId) ?? 0) + 1);
    }
    return counts;
  }
}
