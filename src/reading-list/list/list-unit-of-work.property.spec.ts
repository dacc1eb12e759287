import fc from 'fast-check';

import type { Action, ActionName } from '../actions/action.js';
import { parseAction, type ParsedAction } from '../actions/action.parser.js';
import { applyAction, touchedBy } from '../actions/apply-actions.js';
import { addedMoves, type Faceted, facetMoves } from '../facet.js';
import { normalAddress } from './address.js';
import { changesOf, type ListChanges } from './list-changes.js';
import { addedOrder, Additions, type ItemState, type StoredTombstone } from './list-state.js';
import { ListUnitOfWork } from './list-unit-of-work.js';
import { type NamedTag, parseTagName, tagId } from './tag-name.js';

type Item = Omit<ItemState, 'tagIds'> & { readonly tags: readonly string[] };

const URLS = ['a.example/1', 'https://www.a.example/1/', 'b.example', 'c.example', 'd.example'];
const idOf = (url: string): string => normalAddress(url)?.itemId ?? '';
const keyOf = (name: string): string => name.toLowerCase();
/** All actions except those on annotations, which test/e2e/annotations.e2e-spec.ts covers. */
type ListAction = Action<Exclude<ActionName, 'add_annotation' | 'delete_annotation'>>;

/**
 * A model of the whole list that applies actions one by one, as the specification says. It is slow, but simple enough
 * to trust.
 */
class NaiveList {
  readonly items = new Map<string, Item>();
  readonly tombstones = new Set<string>();
  readonly outcomes: boolean[] = [];
  private readonly additions = new Additions();

  /** Returns the spelling of a tag on the items that have it. If no item has it, returns the given spelling. */
  spelling({ name }: NamedTag): string {
    const all = [...this.items.values()].flatMap(({ tags }) => tags);
    return all.find((tag) => keyOf(tag) === keyOf(name)) ?? name;
  }

  apply(action: ListAction, now: number): void {
    const time = Math.min(action.time ?? now, now);
    if (action.action === 'tag_rename') {
      this.outcomes.push(this.rename(action.oldTag.name, action.newTag));
    } else if (action.action === 'tag_delete') {
      this.outcomes.push(this.retag((tag) => keyOf(tag) !== keyOf(action.tag.name) && tag));
    } else {
      this.outcomes.push(this.applyToItem(action, time));
    }
  }

  private rename(from: string, to: NamedTag): boolean {
    const exists = [...this.items.values()].some(({ tags }) =>
      tags.some((tag) => keyOf(tag) === keyOf(from)),
    );
    const name = keyOf(from) === keyOf(to.name) ? to.name : this.spelling(to);
    return exists && this.retag((tag) => (keyOf(tag) === keyOf(from) ? name : tag));
  }

  private retag(change: (tag: string) => string | false): true {
    for (const [id, item] of this.items) {
      const tags = item.tags.map(change).filter((tag) => tag !== false);
      this.items.set(id, { ...item, tags: [...new Set(tags)] });
    }
    return true;
  }

  private applyToItem(
    action: Exclude<ListAction, { action: 'tag_rename' | 'tag_delete' }>,
    time: number,
  ): boolean {
    const id = 'itemId' in action.item ? action.item.itemId : action.item.address.itemId;
    const item = this.items.get(id);
    if (action.action === 'add') {
      return this.add(id, action, time);
    }
    if (action.action === 'delete') {
      const wasKnown = this.items.delete(id) || this.tombstones.has(id);
      return wasKnown && this.tombstones.add(id).has(id);
    }
    if (item !== undefined) {
      this.items.set(id, { ...item, ...this.changed(item, action, time) });
    }
    return item !== undefined;
  }

  private changed(item: Item, action: Action, time: number): Partial<Item> {
    const { status, favorite, tags } = item;
    switch (action.action) {
      case 'archive':
        return status === 0 ? { status: 1, timeRead: time } : {};
      case 'readd':
        return status === 1 ? { status: 0, timeRead: 0, ...this.additions.at(time) } : {};
      case 'undo_archive':
        return status === 1 ? { status: 0, timeRead: 0 } : {};
      case 'favorite':
        return favorite === 0 ? { favorite: 1, timeFavorited: time } : {};
      case 'unfavorite':
        return { favorite: 0, timeFavorited: 0 };
      case 'tags_add':
        return { tags: this.joined(tags, action.tags) };
      case 'tags_remove':
        return {
          tags: tags.filter((tag) => !action.tags.some(({ name }) => keyOf(name) === keyOf(tag))),
        };
      case 'tags_replace':
        return { tags: this.sameSet(tags, action.tags) ? tags : this.joined([], action.tags) };
      case 'tags_clear':
        return { tags: [] };
      default:
        return {};
    }
  }

  private add(id: string, action: Action<'add'>, time: number): boolean {
    const there = this.items.get(id);
    if (!('address' in action.item) && there === undefined) {
      return false;
    }
    const texts =
      action.title === undefined ? {} : { givenTitle: action.title, prefersGivenTitle: true };
    const url = 'address' in action.item ? { givenUrl: action.item.address.givenUrl } : {};
    const untitled = { givenUrl: '', givenTitle: '', prefersGivenTitle: false, note: '' };
    const blank = { favorite: 0, timeFavorited: 0, ...untitled } as const;
    this.items.set(id, {
      ...(there ?? blank),
      ...url,
      ...texts,
      status: 0,
      timeRead: 0,
      ...this.additions.at(time),
      tags: this.joined(there?.tags ?? [], action.tags),
    });
    this.tombstones.delete(id);
    return true;
  }

  private joined(tags: readonly string[], added: readonly NamedTag[]): readonly string[] {
    const missing = added.filter(({ name }) => !tags.some((tag) => keyOf(tag) === keyOf(name)));
    return [...tags, ...missing.map((tag) => this.spelling(tag))];
  }

  private sameSet(tags: readonly string[], others: readonly NamedTag[]): boolean {
    return tags.length === others.length && this.joined(tags, others).length === tags.length;
  }
}

const UNSHOWN = { kind: 0, resolvedUrl: '', resolvedTitle: '', timeUpdated: 0, importedAsOf: null };

/** A model of the database tables, and of the statements that write to them. */
class Tables {
  readonly items = new Map<string, Item>();
  readonly tombstones = new Map<string, StoredTombstone>();
  readonly itemTags = new Set<string>();
  readonly tags = new Map<string, string>();
  facetCounts = facetMoves([], []);
  readonly outcomes: boolean[] = [];
  private additions = 0;

  run(actions: readonly ListAction[], now: number): void {
    const wanted = touchedBy(actions);
    const unit = new ListUnitOfWork(
      {
        items: wanted.itemIds.flatMap((id) => {
          const item = this.items.get(id);
          return item ? [{ ...item, ...UNSHOWN, itemId: id }] : [];
        }),
        tombstones: wanted.itemIds.flatMap((id) => this.tombstones.get(id) ?? []),
        tags: wanted.tagIds.flatMap((id) => {
          const name = this.tags.get(id);
          return name === undefined ? [] : [{ id, name, itemCount: this.carriers(id) }];
        }),
      },
      now,
      { additions: new Additions(this.additions) },
    );
    this.outcomes.push(...actions.map((action) => applyAction(unit, action).ok));
    this.write(changesOf(unit));
  }

  private carriers(id: string): number {
    return [...this.itemTags].filter((row) => row.startsWith(`${id} `)).length;
  }

  private write(changes: ListChanges): void {
    this.additions += changes.additions;
    this.retag(changes);
    changes.deleted.forEach((id) => this.items.delete(id));
    for (const { itemId, state, tags } of [...changes.upserted, ...changes.stateChanged]) {
      this.items.set(itemId, { ...state, tags });
    }
    changes.tombstones.forEach((one) => this.tombstones.set(one.itemId, { ...one, deletedAt: 0 }));
    changes.revived.forEach((id) => this.tombstones.delete(id));
    for (const { tagId: id, addedOrder: order, itemId } of changes.tagRows.removed) {
      expect(this.itemTags.delete(`${id} ${order} ${itemId}`)).toBe(true);
    }
    for (const { tagId: id, addedOrder: order, itemId } of changes.tagRows.inserted) {
      expect(this.itemTags.has(`${id} ${order} ${itemId}`)).toBe(false);
      this.itemTags.add(`${id} ${order} ${itemId}`);
    }
    changes.newNames.forEach(({ id, name }) => this.tags.set(id, name));
    [...this.tags.keys()]
      .filter((id) => this.carriers(id) === 0)
      .forEach((id) => this.tags.delete(id));
    this.facetCounts = addedMoves(this.facetCounts, changes.facetMoves);
  }

  private retag({ retagged }: ListChanges): void {
    const targets = new Map(retagged.map(({ from, to }) => [from.name, to?.name]));
    for (const [id, item] of this.items) {
      const tags = item.tags.map((tag) => (targets.has(tag) ? targets.get(tag) : tag));
      const kept = [...new Set(tags.filter((tag) => tag !== undefined))];
      const moves = facetMoves([facetedOf(item)], [facetedOf({ ...item, tags: kept })]);
      this.facetCounts = addedMoves(this.facetCounts, moves);
      this.items.set(id, { ...item, tags: kept });
    }
    const ids = new Map(retagged.map(({ from, to }) => [from.id, to?.id]));
    const rows = [...this.itemTags].map((row) => row.split(' '));
    this.itemTags.clear();
    for (const [tag = '', time, item] of rows) {
      const target = ids.has(tag) ? ids.get(tag) : tag;
      if (target !== undefined) {
        this.itemTags.add(`${target} ${time} ${item}`);
      }
    }
  }
}

const facetedOf = (item: Item): Faceted => ({ ...item, tagIds: item.tags, kind: 0 });

const tag = fc.constantFrom('a', 'A', 'b', 'B', 'c');
const time = fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined });
const item = fc.oneof(
  fc.record({ url: fc.constantFrom(...URLS) }),
  fc.record({ item_id: fc.constantFrom(...URLS.map(idOf), '5') }),
);
const ON_ITEM = [
  ...['archive', 'readd', 'favorite', 'unfavorite', 'delete', 'undo_archive', 'undo_delete'],
  ...['tags_clear', 'tags_clear'],
];
const tags = fc.record({ tags: fc.array(tag, { minLength: 1 }) });
const title = fc.record({ title: fc.constantFrom(null, 'T', 'U') });
const rename = fc.record({ old_tag: tag, new_tag: tag });
const act = (names: readonly string[], ...members: fc.Arbitrary<object>[]) =>
  fc
    .tuple(fc.constantFrom(...names), time, ...members)
    .map(([name, at, ...more]) => parseAction(Object.assign({ action: name, time: at }, ...more)));
const action = fc.oneof(
  { weight: 4, arbitrary: act(['add'], item, tags, title) },
  { weight: 4, arbitrary: act(ON_ITEM, item) },
  { weight: 4, arbitrary: act(['tags_add', 'tags_remove', 'tags_replace'], item, tags) },
  { weight: 3, arbitrary: act(['tag_rename'], rename) },
  { weight: 1, arbitrary: act(['tag_delete'], fc.record({ tag })) },
);
const isAction = (parsed: ParsedAction): parsed is ListAction =>
  typeof parsed === 'object' && 'action' in parsed;

describe('a batch on a part of a list', () => {
  it('does what its actions do one by one on the whole list', () => {
    fc.assert(
      fc.property(fc.array(fc.array(action, { maxLength: 12 }), { maxLength: 8 }), (batches) => {
        const naive = new NaiveList();
        const tables = new Tables();

        batches.forEach((batch, at) => {
          const actions = batch.filter(isAction);
          actions.forEach((one) => {
            naive.apply(one, 1000 + at);
          });
          tables.run(actions, 1000 + at);
        });

        expect(tables.outcomes).toEqual(naive.outcomes);
        expect(byId(tables.items)).toMatchObject(byId(naive.items));
        expect(new Set(tables.tombstones.keys())).toEqual(naive.tombstones);
        expect([...tables.itemTags].sort()).toEqual(tagRowsOf(naive));
        expect(tables.tags).toEqual(namesOf(naive));
        expect(tables.facetCounts).toEqual(
          facetMoves([], [...naive.items.values()].map(facetedOf)),
        );
      }),
      { numRuns: 300 },
    );
  });
});

const tagRowsOf = ({ items }: NaiveList): string[] =>
  [...items]
    .flatMap(([id, item]) =>
      item.tags.map((name) => `${tagId(keyOf(name))} ${addedOrder(item)} ${id}`),
    )
    .sort();

const namesOf = ({ items }: NaiveList): Map<string, string> =>
  new Map(
    [...items.values()].flatMap(({ tags }) =>
      tags.map((name) => [parseTagName(name)?.id ?? '', name]),
    ),
  );

const byId = (items: ReadonlyMap<string, Item>): [string, Item][] =>
  [...items].sort(([one], [other]) => (one < other ? -1 : 1));
