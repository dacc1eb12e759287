import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';

import { Injectable } from '@nestjs/common';
import type * as common from '@zxcvbn-ts/language-common';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';

import { availableCores } from '../lib/util/available-cores.js';
import {
  fieldProblem,
  ServiceBusyError,
  ValidationFailedError,
} from '../platform/common/common.errors.js';
import { Config } from '../platform/config/config.js';
import { type Message, message } from '../platform/i18n/message.js';
import { isGuessable, isRepetitive, type PasswordOwner } from './weak-passwords.js';

/**
 * The number of common passwords that are rejected. OWASP ASVS 5.0, 6.2.4, requires the 3000
 * commonest passwords that have an accepted length.
 */
const LISTED = 3000;

const load: (name: '@zxcvbn-ts/language-common') => typeof common = createRequire(import.meta.url);

/**
 * Returns the commonest passwords of at least `minLength` characters, in lower case. The list is
 * loaded on demand, because it needs 2 MB of memory.
 */
export function commonestPasswords(minLength: number): ReadonlySet<string> {
  const { dictionary } = load('@zxcvbn-ts/language-common');
  const longEnough = dictionary['passwords-common'].filter(({ length }) => length >= minLength);
  return new Set(longEnough.slice(0, LISTED));
}

/**
 * The maximum number of password hashes that are computed in parallel. bcrypt shares libuv's four
 * threads with DNS lookups and file access, which more parallel hashes would delay for seconds.
 */
const MAX_AT_A_TIME = Math.min(2, availableCores());
const MAX_WAITING = 40;

/** The stored hash of a password. Null for a user without a password, and undefined for an unknown user. */
type Hash = string | null | undefined;

/** Hashes and compares passwords, with a limit on the number of parallel hashes (docs/decisions/0005). */
@Injectable()
export class Passwords {
  private readonly gate = pLimit(MAX_AT_A_TIME);
  private decoyHash: Promise<string> | undefined;

  constructor(private readonly config: Config) {}

  hash(password: string): Promise<string> {
    return this.run(() => bcrypt.hash(password, this.config.bcryptCost));
  }

  /**
   * Returns true if the password matches the hash. If there is no usable hash, or if the password
   * is too long for bcrypt, compares the password with a decoy, so that the response time does not
   * reveal whether the account exists.
   */
  async matches(password: string, hash: Hash): Promise<boolean> {
    const decoy = await this.decoy();
    const candidate = (isWithinBcrypt(password) && hash) || decoy;
    const isMatch = await this.run(() => bcrypt.compare(password, candidate));
    return isMatch && candidate === hash;
  }

  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) < this.config.bcryptCost;
  }

  /**
   * Returns the hash that a password is compared with if the account is unknown. Without a
   * comparison, the fast response would reveal that the account is unknown. The hash is created on
   * first use, because some commands never compare a password.
   */
  private decoy(): Promise<string> {
    return (this.decoyHash ??= this.hash(randomBytes(32).toString('base64')));
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    if (this.gate.pendingCount >= MAX_WAITING) {
      throw new ServiceBusyError();
    }
    return this.gate(work);
  }
}

export const MIN_BYTES = 8;
/** The maximum length of a password in bytes. bcrypt ignores any further bytes (docs/decisions/0005). */
export const MAX_BYTES = 72;
let commonest: ReadonlySet<string> | undefined;

export const isWithinBcrypt = (password: string): boolean =>
  Buffer.byteLength(password) <= MAX_BYTES;

/** The reason why a password is rejected. */
interface PasswordError {
  /** The rest of a sentence that begins with the name of the field, for clients. */
  readonly reason: string;
  readonly advice: Message;
}

const ERRORS = {
  short: {
    reason: `must have at least ${MIN_BYTES} characters`,
    advice: message('account.password.rules.short', { least: MIN_BYTES }),
  },
  long: {
    reason: `must have at most ${MAX_BYTES} characters, of which those beyond plain letters count more than once`,
    advice: message('account.password.rules.long', { most: MAX_BYTES }),
  },
  common: {
    reason: 'is one of the commonest: take another',
    advice: message('account.password.rules.common'),
  },
  repetitive: {
    reason: 'must not repeat a few characters over and over',
    advice: message('account.password.rules.repetitive'),
  },
  guessable: {
    reason: 'must not consist of the name of this service, your name or your email address',
    advice: message('account.password.rules.guessable'),
  },
} as const satisfies Readonly<Record<string, PasswordError>>;

/**
 * Returns the reason why a password is rejected, or undefined if it is accepted. Lengths are
 * measured in UTF-8 bytes, although the messages say “characters”.
 */
export function passwordError(password: string, owner: PasswordOwner): PasswordError | undefined {
  if (Buffer.byteLength(password) < MIN_BYTES) {
    return ERRORS.short;
  }
  if (!isWithinBcrypt(password)) {
    return ERRORS.long;
  }
  commonest ??= commonestPasswords(MIN_BYTES);
  if (password.trim() === '' || commonest.has(password.toLowerCase())) {
    return ERRORS.common;
  }
  if (isRepetitive(password)) {
    return ERRORS.repetitive;
  }
  return isGuessable(password, owner) ? ERRORS.guessable : undefined;
}

/** @throws ValidationFailedError if registration would reject the password. */
export function requireAcceptable(password: string, owner: PasswordOwner): void {
  const error = passwordError(password, owner);
  if (error !== undefined) {
    throw new ValidationFailedError([fieldProblem('password', error.reason, error.advice)]);
  }
}
