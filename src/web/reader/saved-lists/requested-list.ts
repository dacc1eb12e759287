import { NotFoundException } from '@nestjs/common';

import { textOf } from '../../../platform/common/request-fields.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import type { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns the list of a user whose id a request contains.
 * @throws NotFoundException if the user has no such list
 */
export async function requestedList(
  lists: SavedLists,
  userId: string,
  fields: unknown,
): Promise<SavedList> {
  const id = listIdIn(fields);
  const list = (await lists.all(userId)).find((one) => one.id === id);
  if (list === undefined) {
    throw new NotFoundException();
  }
  return list;
}

/** @throws NotFoundException if the request contains no id of a list */
export function listIdIn(fields: unknown): string {
  const id = textOf(fields, 'id');
  if (!UUID.test(id)) {
    throw new NotFoundException();
  }
  return id;
}
