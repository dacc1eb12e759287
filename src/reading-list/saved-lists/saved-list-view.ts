import { isDeepStrictEqual } from 'node:util';

import { defined } from '../../lib/util/defined.js';
import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import type { SavedList } from '../entities/saved-list.entity.js';
import type { ListView } from '../views/list-view.js';
import { ListRequest } from '../views/view.request.js';
import { viewParams } from '../views/view-params.js';

type Conditions = SavedList['conditions'];

/** Returns the conditions of a view as they are stored with a saved list. */
export const conditionsOf = (view: ListView): Conditions => defined(viewParams(view));

/**
 * Returns the view of a saved list. Returns undefined if this version of Satchel does not understand all conditions of
 * the list. The list must not be shown then, because it would contain too many items.
 */
export function viewOf({
  name,
  conditions,
}: Pick<SavedList, 'name' | 'conditions'>): ListView | undefined {
  try {
    const view = parseRequest(ListRequest, { ...conditions, list: name }).toView();
    return hasConditions(view, conditions) ? view : undefined;
  } catch (error) {
    if (error instanceof ValidationFailedError) {
      return undefined;
    }
    throw error;
  }
}

/** Returns true if a view has exactly the conditions of a saved list. */
export const hasConditions = (view: ListView, conditions: Conditions): boolean =>
  isDeepStrictEqual(conditionsOf(view), conditions);
