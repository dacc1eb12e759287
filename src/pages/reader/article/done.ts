import { textOf } from '../../../common/parse-request.js';
import type { Views } from '../../views.js';

/** What was done, by the name that the address of the page carries. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['archive', 'Archived.'],
  ['readd', 'Back in the list.'],
  ['favorite', 'A favorite now.'],
  ['unfavorite', 'No favorite any more.'],
  ['delete', 'Deleted.'],
  ['undo_archive', 'Back in the list.'],
  ['undo_delete', 'Back in the list.'],
  ['tags_replace', 'The tags are changed.'],
  ['highlight', 'Highlighted.'],
  ['note', 'The note is kept.'],
  ['unhighlight', 'The highlight is gone.'],
  ['place', 'Your place is kept.'],
]);

export const doneNotice = (done: string): string | undefined => NOTICES.get(done);

const UNDONE_BY: ReadonlyMap<string, string> = new Map([
  ['archive', 'undo_archive'],
  ['delete', 'undo_delete'],
]);

/** How to take back what was done to the item before this one. */
export function undoOf(query: unknown, itemId: string): Views['reader/article']['undo'] {
  const action = UNDONE_BY.get(textOf(query, 'done'));
  const before = textOf(query, 'items');
  return action === undefined || !isItemId(before)
    ? undefined
    : { action, itemId: before, back: `/read/${itemId}` };
}

/** As it stands in addresses of the reader. */
export const isItemId = (text: string): boolean => /^[1-9]\d{0,17}$/.test(text);
