import { InvalidArgumentError } from 'commander';

import { keyName } from '../auth/consumers/consumer-keys.service.js';
import { LARGEST_PAGE, type PageSize } from '../auth/consumers/entities/consumer-key.entity.js';
import { MOST_VALID_DAYS, parseValidity } from '../auth/consumers/key-validity.js';
import { ALL_PERMISSIONS, type Permission } from '../auth/consumers/permission.js';

export function parseName(text: string): string {
  const name = keyName(text);
  if (name === undefined) {
    throw new InvalidArgumentError('A name has 1 to 200 characters, at least one of them visible.');
  }
  return name;
}

const FOREIGN_KEY = /^(?!\d+$)[\x21-\x7e]{8,100}$/;

/**
 * Parses the consumer key of an existing application. Rejects a key of digits only, because it
 * could be confused with the id of another key.
 */
export function parseForeignKey(text: string): string {
  if (!FOREIGN_KEY.test(text)) {
    throw new InvalidArgumentError(
      'A key has 8 to 100 letters, digits and signs, not digits alone.',
    );
  }
  return text;
}

const COUNT = /^[1-9]\d{0,3}$/;

/**
 * Parses the option for the number of items in a response. A number sets only the maximum. `all`
 * sets the maximum and the default to the largest possible number. `default` uses the numbers of
 * the response format.
 */
export function parsePageSize(text: string): PageSize {
  if (text === 'default') {
    return { maxCount: null, defaultCount: null };
  }
  if (text === 'all') {
    return { maxCount: LARGEST_PAGE, defaultCount: LARGEST_PAGE };
  }
  if (!COUNT.test(text) || Number(text) > LARGEST_PAGE) {
    throw new InvalidArgumentError(`A page has 1 to ${LARGEST_PAGE} items, all, or default.`);
  }
  return { maxCount: Number(text), defaultCount: null };
}

export const VALID_DAYS = '--valid-days <days>';
export const VALID_DAYS_HELP = 'the number of days for which it works; the default is for ever';

/** Parses the number of days after which a key expires. */
export function parseValidDays(text: string): number {
  const days = parseValidity(text);
  if (days === undefined) {
    throw new InvalidArgumentError(`A key is valid for 1 to ${MOST_VALID_DAYS} days.`);
  }
  return days;
}

/** Parses a comma-separated list of permissions, such as `retrieve,add`. */
export function parsePermissions(text: string): Permission[] {
  const names = new Set(text.split(',').map((name) => name.trim().toLowerCase()));
  const permissions = ALL_PERMISSIONS.filter((permission) => names.delete(permission));
  if (names.size > 0) {
    throw new InvalidArgumentError(`The permissions are ${ALL_PERMISSIONS.join(', ')}.`);
  }
  return permissions;
}
