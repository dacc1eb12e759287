import { type FindOptionsWhere, LessThan, Raw } from 'typeorm';

import { defined } from '../../lib/util/defined.js';
import { CustomRepository } from '../../platform/database/custom-repository.js';
import { deleteInBatches } from '../../platform/database/delete-in-batches.js';
import { optionalWrite } from '../../platform/database/optional-write.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { clientNetwork } from '../../platform/throttling/throttle.guard.js';
import { canonicalEmail } from '../email-address.js';
import { type AuditDetails, AuditEntry } from '../entities/audit-entry.entity.js';
import { Actor, AuditKind } from '../entities/audit-kinds.js';
import { type Origin, UNKNOWN_ORIGIN } from '../entities/origin.js';
import type { Passkey } from '../entities/passkey.entity.js';
import { User } from '../entities/user.entity.js';
import { FORGET_ACTS, FORGET_DETAILS, RECORD } from './audit.sql.js';
import { type AccountAddress, auditListenerOf } from './audit-listener.js';

/** The user of an account, and the origin of the request. Without an origin, the operator acts on the command line. */
export type ActingUser = Pick<User, 'id' | 'origin'>;

/** A change that an administrator, or the operator on the command line, makes. */
interface AdministrativeAct {
  readonly kind: AuditKind;
  /** The administrator. Undefined for the operator. */
  readonly by: ActingUser | 'service' | undefined;
  /** The account that is changed. Undefined for changes that concern no account. */
  readonly userId?: string;
  readonly details?: AuditDetails;
}

/** Selects a page of entries, the newest first. */
export interface AuditPage {
  /** The id of the account that the entries are about, or of the administrator who has caused them. */
  readonly userId?: string | undefined;
  readonly kind?: AuditKind | undefined;
  /** The id of the last entry on the previous page. */
  readonly before?: string | undefined;
  readonly size: number;
}

type NewEntry = Pick<AuditEntry, 'userId' | 'actor' | 'actorId' | 'kind' | 'slot'> & {
  readonly origin: Origin | undefined;
  readonly details?: AuditDetails | undefined;
  readonly previous?: AccountAddress;
};

/**
 * The maximum number of rows in a day for the acts of an account, and for the refused logins to an account. More events
 * only count, so that neither a user nor an attacker can fill the disk.
 */
const MOST_IN_A_DAY = 200;
/** The same maximum for events without an account. */
const MOST_WITHOUT_ACCOUNT = 2000;

/** Stores and lists audit entries (docs/decisions/0126). */
export class AuditRepository extends CustomRepository<AuditEntry> {
  static readonly entity = AuditEntry;

  /** Stores an act of a user on the own account, in the transaction of the act. */
  async act({ id, origin }: ActingUser, kind: AuditKind, details?: AuditDetails): Promise<void> {
    const actor = origin === undefined ? Actor.Operator : Actor.User;
    await this.store({ userId: id, actor, actorId: null, kind, origin, details, slot: null });
  }

  /** Stores a change of the email address of an account, in the transaction of the change. */
  async emailChanged({ id, origin }: ActingUser, previous: AccountAddress): Promise<void> {
    const actor = origin === undefined ? Actor.Operator : Actor.User;
    const kind = AuditKind.EmailChanged;
    await this.store({ userId: id, actor, actorId: null, kind, origin, slot: null, previous });
  }

  /** Stores a login, in the transaction that begins the session. `passkey` is the name of the passkey that was used. */
  login(user: ActingUser, passkey?: string): Promise<void> {
    return passkey === undefined
      ? this.repeated(user, AuditKind.Login)
      : this.repeated(user, AuditKind.PasskeyLogin, { name: passkey });
  }

  /** Stores the confirmation of a login, in the transaction that renews the session. */
  loginConfirmed(user: ActingUser, passkey?: string): Promise<void> {
    return this.repeated(user, AuditKind.LoginConfirmed, defined({ name: passkey }));
  }

  /** Stores that the user has logged out everywhere, in the transaction of the change. */
  signedOut(user: ActingUser): Promise<void> {
    return this.repeated(user, AuditKind.SignedOut);
  }

  /** Stores an export of the list in this format. */
  exported(user: ActingUser, name: string): Promise<void> {
    return this.repeated(user, AuditKind.Exported, { name });
  }

  /** Stores an act that programs repeat. Equal acts of one hour from the same device and address share a row. */
  private async repeated(
    { id, origin }: ActingUser,
    kind: AuditKind,
    details: AuditDetails = {},
  ): Promise<void> {
    const { address, device } = origin ?? UNKNOWN_ORIGIN;
    const slot = [kind, id, address, device, details.name].join(' ');
    const actor = origin === undefined ? Actor.Operator : Actor.User;
    await this.store({ userId: id, actor, actorId: null, kind, origin, details, slot });
  }

  /** Stores a change that an administrator or the operator makes, in the transaction of the change. */
  async administer({ kind, by, userId, details }: AdministrativeAct): Promise<void> {
    await this.store({ userId: userId ?? null, kind, details, slot: null, ...administratorOf(by) });
  }

  /** Stores an act of the service itself. */
  async automatic(userId: string, kind: AuditKind): Promise<void> {
    const actor = Actor.Service;
    await this.store({ userId, actor, actorId: null, kind, origin: undefined, slot: null });
  }

  /**
   * Counts a refused login, in one row per account, network and hour. Does not store the device, because an attacker
   * can send any name. `userId` is null for an unknown account.
   */
  async refuse(userId: string | null, client: Origin): Promise<void> {
    const kind = AuditKind.LoginRefused;
    const origin = networkOf(client);
    const slot = `${kind} ${userId ?? 'unknown'} ${origin.address}`;
    await optionalWrite('a refused login', () =>
      this.store({ userId, actor: Actor.Visitor, actorId: null, kind, origin, slot }),
    );
  }

  /**
   * Stores the refusal of a passkey that may have been copied, in the transaction that refuses it. All refusals of an
   * hour share a row. The entry is not limited together with refused logins, which strangers can cause.
   */
  async refusePasskey({ id, userId, name }: Passkey, client: Origin): Promise<void> {
    const kind = AuditKind.PasskeyRefused;
    const origin = networkOf(client);
    const entry = { userId, actor: Actor.Visitor, actorId: null, kind, details: { name }, origin };
    await this.store({ ...entry, slot: `${kind} ${id}` });
  }

  /** Counts a refused login to the account with this email address. */
  async refuseLogin(typed: string, origin: Origin): Promise<void> {
    const email = canonicalEmail(typed);
    // PostgreSQL cannot store U+0000, so no account has an address with this character.
    const user = email.includes('\0') ? null : await this.manager.findOneBy(User, { email });
    await this.refuse(user?.id ?? null, origin);
  }

  page({ userId, kind, before, size }: AuditPage): Promise<AuditEntry[]> {
    const rest: FindOptionsWhere<AuditEntry> = defined({
      kind,
      id: before === undefined ? undefined : LessThan(before),
    });
    return this.find({
      where:
        userId === undefined
          ? rest
          : [
              { ...rest, userId },
              { ...rest, actorId: userId },
            ],
      order: { id: 'DESC' },
      take: size,
    });
  }

  /** Deletes entries that are older than `days`. */
  async deleteOld(days: number): Promise<void> {
    const isOld = (column: string): string => `${column} < now() - make_interval(days => :days)`;
    await deleteInBatches(this, { at: Raw(isOld, { days }) });
  }

  /**
   * Deletes what an account has done, and the refused logins to it. Entries of administrators, of the operator and of
   * the service stay, without details.
   */
  async forget(userId: string): Promise<void> {
    await queryRows(this.manager, FORGET_ACTS, [userId]);
    await queryRows(this.manager, FORGET_DETAILS, [userId]);
  }

  private async store({
    details = {},
    origin = UNKNOWN_ORIGIN,
    ...entry
  }: NewEntry): Promise<void> {
    const { userId, actor, actorId, kind, slot } = entry;
    const most = userId === null ? MOST_WITHOUT_ACCOUNT : MOST_IN_A_DAY;
    const isRefusal = kind === AuditKind.LoginRefused;
    const { address, device } = origin;
    const values = [userId, actor, actorId, kind, address, device, JSON.stringify(details)];
    await queryRows(this.manager, RECORD, [...values, isRefusal, slot, most]);
    await auditListenerOf(this.manager)?.recorded(this.manager, { ...entry, details, origin });
  }
}

/** Returns the network of a client without its device, because an attacker can send any name of a device. */
const networkOf = ({ address: ip }: Origin): Origin => ({
  address: ip === '' ? '' : clientNetwork({ ip }),
  device: '',
});

function administratorOf(
  by: AdministrativeAct['by'],
): Pick<NewEntry, 'actor' | 'actorId' | 'origin'> {
  if (by === undefined || by === 'service') {
    const actor = by === undefined ? Actor.Operator : Actor.Service;
    return { actor, actorId: null, origin: undefined };
  }
  return { actor: Actor.Administrator, actorId: by.id, origin: by.origin };
}
