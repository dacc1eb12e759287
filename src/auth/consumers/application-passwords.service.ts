import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { isId } from '../../platform/common/request-fields.js';
import { canonicalEmail } from '../email-address.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { CallerLists } from './caller-lists.js';
import { ConsumerKeyRepository } from './consumer-key.repository.js';
import { ConsumerKeyNotFoundError, LoginNameError } from './consumers.errors.js';
import { KeyKind } from './entities/consumer-key.entity.js';
import { type GrantedApplication, GrantRepository } from './grant.repository.js';
import type { Permission } from './permission.js';
import { type PersonalKeyDetails, PersonalKeysService } from './personal-keys.service.js';
import type { Principal } from './principal.js';

/** The user that an application password stands for, and what the password may do. */
export interface PasswordHolder extends Principal {
  readonly permissions: readonly Permission[];
}

/** Crockford's base32: five bits a character, without those that look like another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;
const GROUPS = /.{4}(?!$)/g;
const SHAPE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** What is stored of an application password, beside its hash. */
interface ApplicationPasswordDetails extends PersonalKeyDetails {
  /** Sent in place of the email address, by clients that refuse an `@`. Blank for none. */
  readonly loginName?: string;
}

/** ASCII: a name that looks like another one must not be possible. */
const LOGIN_NAME = /^\w{1,64}$/;

/** In lower case, as the database compares it; undefined for a blank name. Throws LoginNameError. */
function normalLoginName(text = ''): string | undefined {
  const name = text.trim();
  if (name === '') {
    return undefined;
  }
  if (!LOGIN_NAME.test(name)) {
    throw new LoginNameError(
      'Use 1 to 64 letters from A to Z, digits and underscores for the login name.',
    );
  }
  return name.toLowerCase();
}

/** 80 random bits as `abcd-efgh-jkmn-pqrs`. */
const newPassword = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
    .join('')
    .replaceAll(GROUPS, '$&-');

/** What the user has typed as it is hashed: case, dashes and blanks do not count, and letters that are taken for digits are them. */
const normalPassword = (typed: string): string =>
  typed
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');

/**
 * The passwords that users make for programs that ask for an address and a password: readers of the catalogue, and
 * wallabag clients (docs/decisions/0072).
 */
@Injectable()
export class ApplicationPasswords {
  constructor(
    private readonly personalKeys: PersonalKeysService,
    private readonly keys: ConsumerKeyRepository,
    private readonly grants: GrantRepository,
    private readonly lists: CallerLists,
  ) {}

  /** A new password, which is shown once; only its hash is stored. Throws LoginNameError, and what PersonalKeysService.make throws. */
  async create(user: User, { loginName, ...details }: ApplicationPasswordDetails): Promise<string> {
    const password = newPassword();
    const origin = { kind: KeyKind.Password, loginName: normalLoginName(loginName) };
    return this.personalKeys.make(user, details, origin, async (manager, { stored }) => {
      const grants = manager.withRepository(this.grants);
      await grants.issue(user.id, stored.id, normalPassword(password));
      return password;
    });
  }

  /** Those of a user, by name. */
  async list(userId: string): Promise<GrantedApplication[]> {
    const all = await this.grants.personalKeysOf(userId);
    return all.filter(({ kind }) => kind === KeyKind.Password);
  }

  /** Throws ConsumerKeyNotFoundError for what is no application password of the user. */
  async revoke(userId: string, id: string): Promise<void> {
    const own = { id, ownerId: userId, kind: KeyKind.Password };
    const { affected } = isId(id) ? await this.keys.delete(own) : { affected: 0 };
    if (affected !== 1) {
      throw new ConsumerKeyNotFoundError(id);
    }
  }

  /**
   * Returns the user of the password; undefined also if either is disabled. `login` is the email address of the user or
   * the login name of this password.
   */
  async find(login: string, password: string): Promise<PasswordHolder | undefined> {
    const typed = normalPassword(password);
    const name = canonicalEmail(login);
    // PostgreSQL has no text with U+0000.
    if (!SHAPE.test(typed) || name.includes('\0')) {
      return undefined;
    }
    const row = await this.keys.findPasswordHolder(hashOf(typed), name, this.lists);
    if (row === undefined) {
      return undefined;
    }
    if (row.grant_to_touch !== null) {
      await this.grants.touch(row.grant_to_touch);
    }
    return {
      consumerKeyId: row.id,
      dialect: row.dialect,
      userId: row.user_id,
      list: row,
      pageSize: { maxCount: row.maxCount, defaultCount: row.defaultCount },
      permissions: row.permissions,
    };
  }
}
