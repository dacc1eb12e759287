import { MalformedBodyError } from '../../common/common.errors.js';
import { refuseHostileBytes } from '../../common/http/text-gate.js';
import { membersOf } from './bracketed.js';
import { formPairs } from './form-pairs.js';
import { multipartPairs } from './multipart-pairs.js';
import { UnsupportedBodyError } from './request.errors.js';

/** Clients spell it with and without the dash. */
const UTF8 = /^utf-?8$/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
const JSON_TYPE = /^(?:application|text)\/(?:json|[\w.-]+\+json)$/;
/** Some clients name the type of a form, or none, and send JSON. */
const SNIFFED_TYPES = new Set(['', 'application/x-www-form-urlencoded', 'text/plain']);
const OPENING = /^[\s\uFEFF]*[{[]/;
const OPENING_LENGTH = 1024;

/** The members of a body in any spelling that v3 clients use (docs/decisions/0007). */
export async function bodyMembers(bytes: Buffer, contentType = ''): Promise<object> {
  if (!UTF8.test(CHARSET.exec(contentType)?.[1] ?? 'utf-8')) {
    throw new UnsupportedBodyError();
  }
  if (bytes.length === 0) {
    return {};
  }
  const spelling = spellingOf(contentType, bytes);
  if (spelling === 'multipart') {
    return membersOf(await multipartPairs(bytes, contentType));
  }
  return spelling === 'json' ? jsonMembers(bytes) : membersOf(formPairs(bytes.toString('latin1')));
}

function spellingOf(contentType: string, bytes: Buffer): 'json' | 'form' | 'multipart' {
  const type = contentType.split(';', 1).join('').trim().toLowerCase();
  if (JSON_TYPE.test(type)) {
    return 'json';
  }
  if (type === 'multipart/form-data') {
    return 'multipart';
  }
  if (!SNIFFED_TYPES.has(type)) {
    throw new UnsupportedBodyError();
  }
  return OPENING.test(bytes.toString('utf8', 0, OPENING_LENGTH)) ? 'json' : 'form';
}

function jsonMembers(bytes: Buffer): object {
  refuseHostileBytes(bytes);
  const members = parsed(bytes.toString());
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw new MalformedBodyError('The body must be one JSON object.');
  }
  return members;
}

/** `trim` also takes the byte order mark that some clients write. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    throw new MalformedBodyError('The body is not valid JSON.');
  }
}
