import type { Request } from 'express';

import { clean, cut } from '../../lib/util/clean-text.js';
import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { isId } from '../../platform/common/request-fields.js';
import { isAbsent, readFlag, Unreadable } from '../../pocket-api/param-readers.js';
import { ImportNotFoundError } from '../transfer.errors.js';
import type { Upload } from './upload-body.js';

const MAX_FILE_NAME = 200;

/**
 * Returns the uploaded file. Shortens the file name, and removes characters that PostgreSQL cannot store. Returns
 * undefined if the body has no file.
 */
export function fileOf({ upload }: Request): Upload | undefined {
  return upload && { ...upload, fileName: cut(clean(upload.fileName), MAX_FILE_NAME) };
}

/**
 * Returns true if the parameter `restore_deleted` of a request is 1. The import then restores items that the user has
 * deleted. A value in the body wins over a value in the query.
 * @throws ValidationFailedError if the value is neither 0 nor 1
 */
export function restoresDeleted({ body, query }: Request<unknown, unknown, unknown>): boolean {
  const sent = [body, query].map(flagIn).find((one) => !isAbsent(one));
  const flag = sent === undefined ? false : readFlag(sent);
  if (flag instanceof Unreadable) {
    throw new ValidationFailedError([`restore_deleted ${flag.reason}`]);
  }
  return flag;
}

const flagIn = (parameters: unknown): unknown =>
  typeof parameters === 'object' && parameters !== null
    ? Reflect.get(parameters, 'restore_deleted')
    : undefined;

/**
 * Parses the id of an import from the path of a request.
 *
 * @throws ImportNotFoundError if the text is not an id
 */
export function importId(text: string): string {
  if (!isId(text)) {
    throw new ImportNotFoundError();
  }
  return text;
}
