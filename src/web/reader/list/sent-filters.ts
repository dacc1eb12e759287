import { ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import type { Message } from '../../../platform/i18n/message.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { ListRequest } from '../../../reading-list/views/view.request.js';
import { TEXT_NAMES, type TextName } from '../../../reading-list/views/view-texts.js';
import { formErrorsOf } from '../../forms.js';

/** A text in a field of the filter form that is not a valid filter. */
export interface RejectedText {
  readonly name: TextName;
  readonly text: string;
  readonly error: Message;
}

interface SentFilters {
  /** The valid parameters of the address. */
  readonly wanted: ListRequest;
  /** The invalid texts of the filter form, for the page to show again. Empty if all parameters are valid. */
  readonly rejected: readonly RejectedText[];
}

/**
 * Reads the address of a page of the list. The filter form is shown again with its invalid texts.
 * @throws ValidationFailedError if another parameter is invalid, or if the address is not from the filter form
 */
export function sentFiltersIn(query: object): SentFilters {
  try {
    return { wanted: parseRequest(ListRequest, query), rejected: [] };
  } catch (error) {
    const rejected = textOf(query, 'filter') === '1' ? rejectedIn(query, error) : [];
    if (rejected.length === 0) {
      throw error;
    }
    const fields = new Set<string>(rejected.map(({ name }) => name));
    const others = Object.entries(query).filter(([name]) => !fields.has(name));
    return { wanted: parseRequest(ListRequest, Object.fromEntries(others)), rejected };
  }
}

function rejectedIn(query: object, error: unknown): RejectedText[] {
  const errors = error instanceof ValidationFailedError ? formErrorsOf(error) : [];
  return TEXT_NAMES.flatMap((name) => {
    const found = errors.find(({ field }) => field === name);
    return found === undefined ? [] : [{ name, text: textOf(query, name), error: found.text }];
  });
}
