import type { ListChanges } from '../list/list-changes.js';
import type { StoredItem } from '../list/list-state.js';
import type { ListUnitOfWork } from '../list/list-unit-of-work.js';
import type { TrackedItem } from '../list/tracked-items.js';
import type { EventKind } from './list-event.entity.js';
import type { NewEvent } from './list-event.repository.js';

/** The number of items in one transaction from which on it writes one event with a count for each kind. */
const BULK_ITEMS = 100;

interface Circumstances {
  /** True if the transaction writes counts even for few items. */
  readonly isBulk: boolean;
  /** The number of items whose tags were renamed or deleted. They may include items that are not loaded. */
  readonly retagged: number;
}

type ItemEvent = NewEvent & { readonly itemId: string };

/**
 * Returns the events of the changes in a unit of work: first renamed tags, then deletions, and then the other kinds in
 * the order of `EventKind`. An item that is added and deleted in the same unit of work has no event.
 */
export function eventsOf(
  unit: ListUnitOfWork,
  { deleted, details }: ListChanges,
  { isBulk, retagged }: Circumstances,
): NewEvent[] {
  const touched = [...unit.items.all()].filter((item) => item.isTouched);
  const highlights = new Highlights(unit);
  const isOtherwiseChanged = (item: TrackedItem, stored: StoredItem): boolean =>
    highlights.haveChanged(item) ||
    details.some(({ itemId }) => itemId === item.itemId) ||
    hasOtherState(unit, item, stored);
  const isChanged = (item: TrackedItem): boolean =>
    item.stored !== undefined &&
    (!(isArchived(item) || highlights.isAddedTo(item)) || isOtherwiseChanged(item, item.stored));
  const archived = touched.filter(
    (item) => isArchived(item) && !(isBulk && item.stored === undefined),
  );
  const events: ItemEvent[] = [
    ...deleted.map((itemId) => ({ kind: 'item.deleted', itemId }) as const),
    ...touched.filter(({ stored }) => stored === undefined).map(eventOf('item.added')),
    ...touched.filter(isChanged).map(eventOf('item.changed')),
    ...archived.map(eventOf('item.archived')),
    ...highlights.added.map((one) => ({ kind: 'highlight.added', ...one }) as const),
  ];
  const retagging: NewEvent[] = retagged > 0 ? [{ kind: 'item.changed', count: retagged }] : [];
  return [...retagging, ...(isBulk ? counted(events) : inBulk(events))];
}

/** Returns one event per item, or one event with a count if there are many items. */
export const itemEvents = (kind: EventKind, itemIds: readonly string[]): readonly NewEvent[] =>
  inBulk(itemIds.map((itemId) => ({ kind, itemId })));

/** Returns the events, or one event with a count for each kind if they are about many items. */
const inBulk = (events: readonly ItemEvent[]): readonly NewEvent[] =>
  new Set(events.map(({ itemId }) => itemId)).size < BULK_ITEMS ? events : counted(events);

function counted(events: readonly ItemEvent[]): NewEvent[] {
  const counts = new Map<EventKind, number>();
  for (const { kind } of events) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => ({ kind, count }));
}

const eventOf =
  (kind: EventKind) =>
  ({ itemId }: TrackedItem): ItemEvent => ({ kind, itemId });

const isArchived = ({ state, stored }: TrackedItem): boolean =>
  state.status === 1 && stored?.status !== 1;

/** The properties of an item that `item.archived` does not include. */
const OTHER_STATE = [
  'favorite',
  'timeFavorited',
  'timeAdded',
  'addedSequence',
  'givenUrl',
  'givenTitle',
  'prefersGivenTitle',
  'note',
] as const;

/** Returns true if something other than the archived state has changed, except tags that are renamed on all items. */
function hasOtherState(
  { tags, bulkTags }: ListUnitOfWork,
  { state }: TrackedItem,
  stored: StoredItem,
): boolean {
  const tagIds = bulkTags.applyTo(tags.idsOf(stored.tags));
  return (
    OTHER_STATE.some((property) => stored[property] !== state[property]) ||
    (stored.status === 1 && state.status === 0) ||
    tagIds.length !== state.tagIds.length ||
    tagIds.some((id, at) => state.tagIds[at] !== id)
  );
}

/** The changes of the highlights of loaded items. */
class Highlights {
  readonly added: readonly { readonly itemId: string; readonly annotationId: string }[];
  private readonly extended: ReadonlySet<string>;
  private readonly changed: ReadonlySet<string>;

  constructor({ annotations, stored }: ListUnitOfWork) {
    const { removed, written } = annotations.changes();
    const before = new Map(stored.annotations?.map((one) => [one.annotationId, one.itemId]));
    this.added = written
      .filter(({ annotationId }) => !before.has(annotationId))
      .map(({ itemId, annotationId }) => ({ itemId, annotationId }));
    this.extended = new Set(this.added.map(({ itemId }) => itemId));
    const rewritten = written.map(({ annotationId }) => annotationId);
    this.changed = new Set([...removed, ...rewritten].flatMap((id) => before.get(id) ?? []));
  }

  isAddedTo({ itemId }: TrackedItem): boolean {
    return this.extended.has(itemId);
  }

  /** Returns true if a stored highlight of the item was changed or removed. */
  haveChanged({ itemId }: TrackedItem): boolean {
    return this.changed.has(itemId);
  }
}
