import type { Request } from 'express';

import { textOf } from '../../platform/common/request-fields.js';
import { type Message, message } from '../../platform/i18n/message.js';
import type { FormError } from '../forms.js';
import { Template } from '../template.js';

/** A row of a table on the pages for administrators: a name and its value. */
export interface Figure {
  readonly name: Message;
  readonly value: Message;
}

/** The notice and the errors that the template `admin/layout` shows above a page. */
export interface AdminPage {
  readonly notice: Message | undefined;
  readonly errors: readonly FormError[];
}

interface ConfirmModel {
  readonly heading: Message;
  readonly text: Message;
  readonly action: string;
  readonly label: Message;
  readonly backHref: string;
}

/** The page that asks for confirmation before an action that cannot be undone. */
export const confirmPage = new Template<ConfirmModel>('admin/confirm', { kind: 'reader' });

interface SecretModel {
  readonly heading: Message;
  readonly text: Message;
  readonly label: Message;
  readonly value: string;
  readonly backHref: string;
}

/** The page that shows a new secret. The secret cannot be shown again. */
export const secretPage = new Template<SecretModel>('admin/secret', { kind: 'reader' });

/** The flash messages of the pages for administrators, keyed by the `done` query parameter. */
const NOTICES: ReadonlyMap<string, Message> = new Map([
  ['disabled', message('admin.done.disabled')],
  ['enabled', message('admin.done.enabled')],
  ['deleted', message('admin.done.deleted')],
  ['signed-out', message('admin.done.signedOut')],
  ['verified', message('admin.done.verified')],
  ['role', message('admin.done.role')],
  ['second-factor', message('admin.done.secondFactor')],
  ['passkeys', message('admin.done.passkeys')],
  ['permissions', message('admin.done.permissions')],
  ['revoked', message('admin.done.revoked')],
]);

export const adminNotice = (request: Request): Message | undefined =>
  NOTICES.get(textOf(request.query, 'done'));
