import type { Request } from 'express';

import { clean, cut } from '../../lib/util/clean-text.js';
import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
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

type Parameters = Request<unknown, unknown, unknown>;

/**
 * Returns true if the parameter `restore_deleted` of a request is 1. The import then restores items that the user has
 * deleted. A value in the body wins over a value in the query.
 * @throws ValidationFailedError if the value is neither 0 nor 1
 */
export function restoresDeleted(request: Parameters): boolean {
  const sent = parameterOf(request, 'restore_deleted');
  const flag = sent === undefined ? false : readFlag(sent);
  if (flag instanceof Unreadable) {
    throw new ValidationFailedError([`restore_deleted ${flag.reason}`]);
  }
  return flag;
}

/**
 * Returns true if the parameter `folders` of a request is `lists`. The import then creates a saved list for each folder
 * of the file. A value in the body wins over a value in the query.
 * @throws ValidationFailedError if the value is neither `tags` nor `lists`
 */
export function foldersBecomeLists(request: Parameters): boolean {
  const sent = parameterOf(request, 'folders') ?? 'tags';
  if (sent !== 'tags' && sent !== 'lists') {
    throw new ValidationFailedError([fieldProblem('folders', 'must be tags or lists')]);
  }
  return sent === 'lists';
}

const parameterOf = ({ body, query }: Parameters, name: string): unknown =>
  [body, query].map((parameters) => valueIn(parameters, name)).find((one) => !isAbsent(one));

const valueIn = (parameters: unknown, name: string): unknown =>
  typeof parameters === 'object' && parameters !== null ? Reflect.get(parameters, name) : undefined;

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
