import type { Message } from '../../../platform/i18n/message.js';
import { Template } from '../../template.js';
import type { DoneNotice } from '../done-notice.js';
import type { ReaderPage } from '../reader-page.js';

/** A snapshot, with the properties that pages show. */
export interface SnapshotCard {
  readonly id: string;
  readonly itemId: string;
  /** The title of the item. */
  readonly title: string;
  readonly createdAt: Date;
  readonly size: Message;
}

interface SnapshotsModel extends ReaderPage {
  readonly done: DoneNotice | undefined;
  /** The address of this page. */
  readonly path: string;
  readonly snapshots: readonly SnapshotCard[];
  /** The number of the next page. Undefined on the last page. */
  readonly next: number | undefined;
}

interface SnapshotModel extends ReaderPage {
  readonly snapshot: SnapshotCard;
}

export const snapshotsPage = new Template<SnapshotsModel>('reader/snapshots/snapshots', {
  kind: 'reader',
});
export const snapshotPage = new Template<SnapshotModel>('reader/snapshots/snapshot', {
  kind: 'snapshot',
});
/** The page that asks before it deletes a snapshot. */
export const deleteSnapshotPage = new Template<SnapshotModel>('reader/snapshots/delete-snapshot', {
  kind: 'reader',
});
