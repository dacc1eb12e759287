import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
import { message } from '../../platform/i18n/message.js';
import { MAX_TAG_LENGTH } from '../list/tag-name.js';

/** The maximum number of lists that a user can save. */
export const MOST_LISTS = 100;

/** The user has no saved list with this name or id. */
export class SavedListNotFoundError extends ValidationFailedError {
  constructor() {
    super([
      fieldProblem('list', 'is not the name of a saved list', message('savedLists.rules.gone')),
    ]);
  }
}

/** The name of a saved list is not valid. */
export class ListNameError extends ValidationFailedError {
  constructor() {
    super([
      fieldProblem(
        'name',
        `must have 1 to ${MAX_TAG_LENGTH} characters`,
        message('savedLists.rules.name', { count: MAX_TAG_LENGTH }),
      ),
    ]);
  }
}

/** Another saved list of the user has this name. */
export class ListNameTakenError extends ValidationFailedError {
  constructor() {
    super([fieldProblem('name', 'is the name of another list', message('savedLists.rules.taken'))]);
  }
}

/** The user has already saved the maximum number of lists. */
export class TooManyListsError extends ValidationFailedError {
  constructor() {
    super([
      {
        field: 'name',
        text: `a user can save at most ${MOST_LISTS} lists`,
        advice: message('savedLists.rules.most', { count: MOST_LISTS }),
      },
    ]);
  }
}
