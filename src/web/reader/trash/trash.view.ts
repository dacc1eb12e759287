import type { Message } from '../../../platform/i18n/message.js';
import { message } from '../../../platform/i18n/message.js';
import type {
  TrashedItem,
  TrashPlace,
  TrashSummary,
} from '../../../reading-list/deletions/deleted-item.repository.js';
import { TRASH_DAYS, trashedUntil } from '../../../reading-list/deletions/trash.service.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { hrefOf } from '../../../reading-list/list/address.js';
import { byteSize } from '../../../reading-list/storage/byte-size.js';
import { Template } from '../../template.js';
import { siteOf } from '../article/article-model.js';
import type { DoneNotice } from '../done-notice.js';
import { type ChoiceLink, tabsAt } from '../list/list-links.js';
import type { ReaderPage } from '../reader-page.js';

/** The properties of a deleted item that the trash shows. */
interface TrashCard {
  readonly id: string;
  readonly title: string;
  /** The link to the original page. Undefined if a browser should not open the address. */
  readonly originalHref: string | undefined;
  readonly site: string;
  readonly deletedAt: Date;
  readonly keptUntil: Date;
  /** False if the same page was saved again. The copy in the trash then cannot be restored. */
  readonly canRestore: boolean;
}

interface TrashModel extends ReaderPage {
  readonly tabs: readonly ChoiceLink[];
  readonly done: DoneNotice | undefined;
  /** The address of this page, to which its forms redirect. */
  readonly path: string;
  readonly days: number;
  /** The number of items in the trash and their size. Undefined if the trash is empty. */
  readonly total: Message | undefined;
  readonly items: readonly TrashCard[];
  readonly firstHref: string | undefined;
  readonly previousHref: string | undefined;
  readonly nextHref: string | undefined;
}

interface EmptyTrashModel extends ReaderPage {
  readonly count: number;
  /** The time of the latest deletion that the user has confirmed to remove, in microseconds since 1970. */
  readonly until: string;
}

export const trashPage = new Template<TrashModel>('reader/trash/trash', { kind: 'reader' });
export const emptyTrashPage = new Template<EmptyTrashModel>('reader/trash/empty-trash', {
  kind: 'reader',
});

/** The items of one page of the trash. */
export interface PageOfTrash {
  readonly rows: readonly TrashedItem[];
  readonly isFirst: boolean;
  readonly hasMore: boolean;
}

const placeOf = (row: TrashedItem): TrashPlace => ({
  microseconds: row.deleted_microseconds,
  itemId: row.item_id,
});

export const trashPath = (
  place: Readonly<Partial<Record<'after' | 'before', TrashPlace>>>,
): string =>
  Object.entries(place).reduce(
    (path, [name, { microseconds, itemId }]) => `${path}?${name}=${microseconds}-${itemId}`,
    '/list/trash',
  );

export function trashModel(
  { rows, isFirst, hasMore }: PageOfTrash,
  { items: count, bytes }: TrashSummary,
  {
    path,
    done,
    pinned,
  }: Pick<TrashModel, 'path' | 'done'> & {
    readonly pinned: readonly ChoiceLink[];
  },
): TrashModel {
  const [first] = rows;
  const last = rows.at(-1);
  return {
    section: 'list',
    tabs: tabsAt('trash', pinned),
    done,
    path,
    days: TRASH_DAYS,
    total: count === 0 ? undefined : message('trash.total', { count, size: byteSize(bytes) }),
    items: rows.map(cardOf),
    firstHref: isFirst ? undefined : trashPath({}),
    previousHref:
      isFirst || first === undefined ? undefined : trashPath({ before: placeOf(first) }),
    nextHref: hasMore && last !== undefined ? trashPath({ after: placeOf(last) }) : undefined,
  };
}

const cardOf = (row: TrashedItem): TrashCard => ({
  id: row.item_id,
  title: resolvedTitleOf(row),
  originalHref: hrefOf(row.given_url),
  site: siteOf(row),
  deletedAt: row.deleted_at,
  keptUntil: trashedUntil(row.deleted_at),
  canRestore: !row.is_in_list,
});
