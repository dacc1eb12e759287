import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { message } from '../../platform/i18n/message.js';

const FIELD = 'address';

/** The address of a public page has other characters, or is too short or too long. */
export class ListAddressError extends ValidationFailedError {
  constructor() {
    super([
      {
        field: FIELD,
        text: 'must have 3 to 60 letters, digits and hyphens',
        advice: message('publicLists.rules.address'),
      },
    ]);
  }
}

/** The address of a public page is one of the words that Satchel keeps for itself. */
export class ListAddressReservedError extends ValidationFailedError {
  constructor() {
    super([{ field: FIELD, text: 'is reserved', advice: message('publicLists.rules.reserved') }]);
  }
}

/** Another public page has this address. */
export class ListAddressTakenError extends ValidationFailedError {
  constructor() {
    super([{ field: FIELD, text: 'is taken', advice: message('publicLists.rules.taken') }]);
  }
}
