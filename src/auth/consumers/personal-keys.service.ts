import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { VISIBLE } from '../../lib/util/clean-text.js';
import {
  fieldProblem,
  type Problem,
  ValidationFailedError,
} from '../../platform/common/common.errors.js';
import { Database } from '../../platform/database/database.js';
import { message } from '../../platform/i18n/message.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { AuditKind } from '../entities/audit-kinds.js';
import type { User } from '../entities/user.entity.js';
import { UserRepository } from '../user.repository.js';
import {
  type ConsumerKeyDetails,
  ConsumerKeyRepository,
  type IssuedConsumerKey,
  type KeyOrigin,
} from './consumer-key.repository.js';
import { TooManyPersonalKeysError } from './consumers.errors.js';
import { Dialect } from './entities/consumer-key.entity.js';
import { type GrantedApplication, GrantRepository } from './grant.repository.js';
import { validityProblems } from './key-validity.js';

/** The maximum number of personal keys per user. */
export const MOST_PERSONAL_KEYS = 50;
const MAX_NAME_LENGTH = 100;

/** The name and the permissions of a personal key, and how long it is valid. */
export type PersonalKeyDetails = Pick<ConsumerKeyDetails, 'name' | 'permissions'> &
  Pick<KeyOrigin, 'validDays'>;

/**
 * A consumer key and an access token that together give access to the list of one user. They are shown once, and only
 * their hashes are stored.
 */
export interface PersonalKeyPair {
  readonly consumerKey: string;
  readonly accessToken: string;
}

/** Manages the keys that users create for their own scripts and devices (docs/decisions/0068). */
@Injectable()
export class PersonalKeysService {
  constructor(
    private readonly database: Database,
    private readonly grants: GrantRepository,
  ) {}

  list(userId: string): Promise<GrantedApplication[]> {
    return this.grants.personalKeysOf(userId);
  }

  /** Creates a personal consumer key and an access token for it. Throws the errors of `make`. */
  create(user: User, details: PersonalKeyDetails): Promise<PersonalKeyPair> {
    return this.make(user, details, {}, async (manager, { key, stored }) => {
      const accessToken = await GrantRepository.in(manager).issue(user.id, stored.id);
      return { consumerKey: key, accessToken };
    });
  }

  /**
   * Creates a personal key of any kind. Calls `complete` in the same transaction.
   * @throws ValidationFailedError if the name or the permissions are invalid.
   * @throws TooManyPersonalKeysError if the user already has the maximum number of keys.
   * @throws InvalidCredentialsError if the user was signed out while this call ran, because a
   * sign-out revokes all keys.
   */
  async make<T>(
    user: User,
    details: PersonalKeyDetails,
    origin: Pick<KeyOrigin, 'kind' | 'secretHash' | 'loginName'>,
    complete: (manager: EntityManager, issued: IssuedConsumerKey) => Promise<T>,
  ): Promise<T> {
    const problems = problemsOf(details);
    if (problems.length > 0) {
      throw new ValidationFailedError(problems);
    }
    return this.database.transaction(async (manager) => {
      const keys = ConsumerKeyRepository.in(manager);
      // Locks the user, so that parallel calls cannot together exceed the maximum number of keys.
      const { id: ownerId } = await UserRepository.in(manager).lockSignedIn(user);
      if ((await keys.countBy({ ownerId })) >= MOST_PERSONAL_KEYS) {
        throw new TooManyPersonalKeysError(MOST_PERSONAL_KEYS);
      }
      const { validDays, ...named } = details;
      const standard = { ...named, dialect: Dialect.Standard };
      const issued = await keys.issue(standard, { ...origin, ownerId, validDays });
      const recorded = { key: issued.stored.id, name: details.name };
      await AuditRepository.in(manager).act(user, AuditKind.KeyCreated, recorded);
      return complete(manager, issued);
    });
  }

  /**
   * Deletes one personal key of the user with its access tokens. If `id` is missing, deletes all personal keys of the
   * user.
   */
  async delete(manager: EntityManager, userId: string, id?: string): Promise<void> {
    const one = id === undefined ? {} : { id };
    await ConsumerKeyRepository.in(manager).delete({ ownerId: userId, ...one });
  }
}

/**
 * Characters that a name must not contain: line ends, control characters, and characters that change the direction of
 * text.
 */
const DISTURBING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

const INVISIBLE_NAME = fieldProblem(
  'name',
  'must have a visible character',
  message('keys.rules.name'),
);
const DISTURBING_NAME = fieldProblem(
  'name',
  'must be one line without control characters',
  message('keys.rules.nameLine'),
);
const LONG_NAME = fieldProblem(
  'name',
  `must have at most ${MAX_NAME_LENGTH} characters`,
  message('keys.rules.nameLength', { most: MAX_NAME_LENGTH }),
);
const NO_PERMISSION = fieldProblem(
  'permissions',
  'must have at least one',
  message('keys.rules.permissions'),
);

const problemsOf = ({ name, permissions, validDays }: PersonalKeyDetails): Problem[] => [
  ...(VISIBLE.test(name) ? [] : [INVISIBLE_NAME]),
  ...(DISTURBING.test(name) ? [DISTURBING_NAME] : []),
  ...(Array.from(name).length > MAX_NAME_LENGTH ? [LONG_NAME] : []),
  ...(permissions.length === 0 ? [NO_PERMISSION] : []),
  ...validityProblems(validDays),
];
