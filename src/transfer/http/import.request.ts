import type { Request } from 'express';

import { ValidationFailedError } from '../../common/common.errors.js';
import { isAbsent, readFlag, Unreadable } from '../../common/http/wire-reader.js';
import { cut } from '../../reading-list/list/given-title.js';
import { clean } from '../clean-text.js';
import type { Upload } from './upload.js';

const MAX_FILE_NAME = 200;

/** The file of an upload, with a name that can be shown; undefined where there is none. */
export function fileOf({ upload }: Request): Upload | undefined {
  return upload && { ...upload, fileName: cut(clean(upload.fileName), MAX_FILE_NAME) };
}

/** Whether items come back that the person has deleted. Throws ValidationFailedError. */
export function restoresDeleted(body: unknown): boolean {
  const sent: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'restore_deleted') : undefined;
  const flag = isAbsent(sent) ? false : readFlag(sent);
  if (flag instanceof Unreadable) {
    throw new ValidationFailedError([`restore_deleted ${flag.reason}`]);
  }
  return flag;
}
