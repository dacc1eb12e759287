/** How Pocket's tables call a status, and Satchel's own export after them. */
export const POCKET_STATUSES: ReadonlyMap<string, 0 | 1> = new Map<string, 0 | 1>([
  ['unread', 0],
  ['archive', 1],
]);
