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

/** Whether items come back that the person has deleted; the body says so, else the query. Throws ValidationFailedError. */
export function restoresDeleted({ body, query }: Request<unknown, unknown, unknown>): boolean {
  const sent = [body, query].map(flagIn).find((one) => !isAbsent(one));
  const flag = sent === undefined ? false : readFlag(sent);
  if (flag instanceof Unreadable) {
    throw new ValidationFailedError([`restore_deleted ${flag.reason}`]);
  }
  return flag;
}

const flagIn = (members: unknown): unknown =>
  typeof members === 'object' && members !== null
    ? Reflect.get(members, 'restore_deleted')
    : undefined;
