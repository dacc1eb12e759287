import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { isId } from '../../platform/common/request-fields.js';
import type { Language } from '../../platform/i18n/languages.js';
import { message } from '../../platform/i18n/message.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { canonicalEmail } from '../email-address.js';
import { AuditKind } from '../entities/audit-kinds.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { languageOfUser } from '../user-language.js';
import { CallerLists } from './caller-lists.js';
import { ConsumerKeyRepository } from './consumer-key.repository.js';
import { ConsumerKeyNotFoundError, LoginNameError } from './consumers.errors.js';
import { KeyKind } from './entities/consumer-key.entity.js';
import { type GrantedApplication, GrantRepository } from './grant.repository.js';
import type { Permission } from './permission.js';
import { type PersonalKeyDetails, PersonalKeysService } from './personal-keys.service.js';
import type { Principal } from './principal.js';

/** The user of an application password, and the permissions of the password. */
export interface PasswordHolder extends Principal {
  readonly permissions: readonly Permission[];
  /** The language of the texts in the catalogue. */
  readonly language: Language;
}

/** The alphabet of Crockford's base32. Each character encodes five bits, and no two characters look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;
const GROUPS = /.{4}(?!$)/g;
const SHAPE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Properties that are stored with an application password, in addition to its hash. */
interface ApplicationPasswordDetails extends PersonalKeyDetails {
  /** The user name for clients that reject the `@` of an email address. Blank if the password has no user name. */
  readonly loginName?: string;
}

/** A login name has only ASCII characters, because some Unicode characters look alike. */
const LOGIN_NAME = /^\w{1,64}$/;

/**
 * Returns a login name in lower case, as the database stores it. Returns undefined for a blank name.
 * @throws LoginNameError if the name is invalid.
 */
function normalLoginName(text = ''): string | undefined {
  const name = text.trim();
  if (name === '') {
    return undefined;
  }
  if (!LOGIN_NAME.test(name)) {
    throw new LoginNameError(message('passwords.rules.loginName'));
  }
  return name.toLowerCase();
}

/** Returns a random password with 80 bits, such as `abcd-efgh-jkmn-pqrs`. */
const newPassword = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
    .join('')
    .replaceAll(GROUPS, '$&-');

/**
 * Normalizes a typed password before it is hashed. Ignores case, dashes and spaces, and replaces
 * letters that look like digits.
 */
const normalPassword = (typed: string): string =>
  typed
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');

/**
 * Manages application passwords. Users create them for programs that ask for an email address and a
 * password, such as e-readers and wallabag clients (docs/decisions/0072).
 */
@Injectable()
export class ApplicationPasswords {
  constructor(
    private readonly personalKeys: PersonalKeysService,
    private readonly keys: ConsumerKeyRepository,
    private readonly grants: GrantRepository,
    private readonly lists: CallerLists,
  ) {}

  /**
   * Creates and returns a password. Only its hash is stored. Also throws the errors of PersonalKeysService.make.
   * @throws LoginNameError if the login name is invalid or taken.
   */
  async create(user: User, { loginName, ...details }: ApplicationPasswordDetails): Promise<string> {
    const password = newPassword();
    const origin = { kind: KeyKind.Password, loginName: normalLoginName(loginName) };
    return this.personalKeys.make(user, details, origin, async (manager, { stored }) => {
      const grants = GrantRepository.in(manager);
      await grants.issue(user.id, stored.id, normalPassword(password));
      return password;
    });
  }

  /** Returns the application passwords of a user, sorted by name. */
  async list(userId: string): Promise<GrantedApplication[]> {
    const all = await this.grants.personalKeysOf(userId);
    return all.filter(({ kind }) => kind === KeyKind.Password);
  }

  /** @throws ConsumerKeyNotFoundError if the user has no application password with this id. */
  async revoke(userId: string, id: string): Promise<void> {
    const own = { id, ownerId: userId, kind: KeyKind.Password };
    const { affected } = isId(id) ? await this.keys.delete(own) : { affected: 0 };
    if (affected !== 1) {
      throw new ConsumerKeyNotFoundError(id);
    }
    const audit = AuditRepository.in(this.keys.manager);
    await audit.act({ id: userId }, AuditKind.KeyRevoked, { key: id });
  }

  /**
   * Returns the user of the password. `login` is the email address of the user or the login name of this password.
   * Returns undefined if the password is wrong or expired, or if the password or the user is disabled.
   */
  async find(login: string, password: string): Promise<PasswordHolder | undefined> {
    const typed = normalPassword(password);
    const name = canonicalEmail(login);
    // PostgreSQL cannot store U+0000, so no user has a name with this character.
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
      language: languageOfUser(row),
    };
  }
}
