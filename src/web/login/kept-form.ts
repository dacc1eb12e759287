import type { Request } from 'express';

import { textOf } from '../../platform/common/request-fields.js';
import { innerUrlOf } from '../../platform/http/sub-path.js';
import { localPath } from '../local-path.js';

/**
 * A form that a person sent after the session had ended. The login pages keep the form until the person has logged in.
 */
export interface KeptForm {
  /** The path to which the form is sent again. It is always a path of this service. */
  readonly action: string;
  readonly fields: readonly KeptField[];
}

type KeptField = readonly [name: string, value: string];

/**
 * The maximum number of characters of a kept form as JSON. URL encoding makes the JSON longer, so
 * the limit of `/auth/login` in forms.ts is larger.
 */
const MAX_LENGTH = 300_000;
const MAX_FIELDS = 2000;
/**
 * Matches the paths of forms that are kept during a login. Forms with a password are not kept
 * (NEVER_KEPT), because a typed password must not be part of another page. Forms that change one
 * user or key are not kept either, because the page would not show the name of this user or key.
 */
const KEPT_PATH = /^\/(?:account|admin\/invitations|admin\/keys|list|read|save)(?:$|[/?])/;
const NEVER_KEPT =
  /^\/(?:account\/(?:password|second-factor|passkeys|email|delete)|admin\/[a-z]+\/)/;
const SECRETS = new Set(['_csrf', 'password', 'current', 'otp', 'credential', 'kept']);

/**
 * Returns the form of a request, to send it again after a login. Returns undefined if the form is a
 * login form, is too long, or contains a password or a file.
 */
export function keptFormOf(request: Request): KeptForm | undefined {
  const body: unknown = request.body;
  const action = localPath(innerUrlOf(request));
  const isForm = request.is('application/x-www-form-urlencoded') !== false;
  return isForm && isObject(body) && action !== undefined
    ? accepted({ action, fields: fieldsOf(body) })
    : undefined;
}

/** Returns the kept form from the `kept` field of a login form. */
export function keptFormIn(fields: unknown): KeptForm | undefined {
  const value = parsed(textOf(fields, 'kept'));
  if (!isObject(value) || !Array.isArray(value['fields']) || typeof value['action'] !== 'string') {
    return undefined;
  }
  const action = localPath(value['action']);
  const pairs: readonly unknown[] = value['fields'];
  return action !== undefined && pairs.every(isField)
    ? accepted({ action, fields: pairs })
    : undefined;
}

export const keptText = (form: KeptForm): string => JSON.stringify(form);

function accepted({ action, fields }: KeptForm): KeptForm | undefined {
  const isKept = KEPT_PATH.test(action) && !NEVER_KEPT.test(action);
  const kept = { action, fields: fields.filter(([name]) => !SECRETS.has(name)) };
  const fits = fields.length <= MAX_FIELDS && keptText(kept).length <= MAX_LENGTH;
  return isKept && fits && kept.fields.length > 0 ? kept : undefined;
}

/**
 * Converts a parsed body to a list of fields, with the field names that the browser sent, such as
 * `item[]`.
 */
function fieldsOf(body: Record<string, unknown>): KeptField[] {
  return Object.entries(body).flatMap(([name, value]) => spelled(name, value));
}

function spelled(name: string, value: unknown): KeptField[] {
  if (typeof value === 'string') {
    return [[name, value]];
  }
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown) => spelled(`${name}[]`, element));
  }
  return isObject(value)
    ? Object.entries(value).flatMap(([key, member]) => spelled(`${name}[${key}]`, member))
    : [];
}

const isField = (value: unknown): value is KeptField =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return text.length <= MAX_LENGTH ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
