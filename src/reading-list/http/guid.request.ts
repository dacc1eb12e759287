import { ValidationFailedError } from '../../common/common.errors.js';
import { textReader, Unreadable } from '../../common/http/wire-reader.js';

export const MAX_GUID = 200;

const readText = textReader({ max: MAX_GUID });

/** Refuses a call without a guid; which one it is matters to nobody. */
export function requireGuid(members: object): void {
  if (!('guid' in members)) {
    throw new ValidationFailedError(['guid is missing']);
  }
  const guid = readText(members.guid);
  if (guid instanceof Unreadable) {
    throw new ValidationFailedError([`guid ${guid.reason}`]);
  }
}
