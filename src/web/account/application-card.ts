import { KeyKind } from '../../auth/consumers/entities/consumer-key.entity.js';
import type { GrantedApplication } from '../../auth/consumers/grant.repository.js';
import { type Message, message } from '../../platform/i18n/message.js';
import { permissionSummary } from '../permission-choices.js';

/** An application or a personal key on the account pages. */
export interface ApplicationCard {
  readonly id: string;
  readonly name: string;
  readonly kind: Message;
  /** The login name of an application password. Undefined if there is no login name. */
  readonly loginName: string | undefined;
  /** The permissions of the application, as a part of a sentence. Undefined if it has no permissions. */
  readonly permissions: Message | undefined;
  readonly isDisabled: boolean;
  /** The time from which on a key does not work any more. Undefined if it never expires. */
  readonly expires: Date | undefined;
  readonly isExpired: boolean;
  readonly since: Date;
  readonly lastUsed: Date | undefined;
}

const KINDS: Readonly<Record<KeyKind, Message>> = {
  [KeyKind.Key]: message('keys.kinds.key'),
  [KeyKind.Password]: message('keys.kinds.password'),
  [KeyKind.Client]: message('keys.kinds.client'),
};

export const applicationCard = (application: GrantedApplication): ApplicationCard => ({
  id: application.consumerKeyId,
  name: application.name,
  kind: KINDS[application.kind],
  loginName: application.loginName ?? undefined,
  permissions:
    application.permissions.length === 0 ? undefined : permissionSummary(application.permissions),
  isDisabled: application.isDisabled,
  expires: application.expiresAt ?? undefined,
  isExpired: application.isExpired,
  since: application.since,
  lastUsed: application.lastUsedAt ?? undefined,
});
