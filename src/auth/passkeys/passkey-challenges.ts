import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type EntityManager, Raw } from 'typeorm';

import { Clock } from '../../platform/common/clock.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { deleteInBatches } from '../../platform/database/delete-in-batches.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { Every } from '../../platform/jobs/every.js';
import { Cipher } from '../cipher.js';
import { SpentChallenge } from '../entities/spent-challenge.entity.js';
import { hashOf } from '../opaque-token.js';
import { SPEND } from './passkeys.sql.js';

/** The actions for which a browser uses a passkey. The answer to a challenge allows only its own action. */
export type PasskeyPurpose = 'login' | 'code' | 'confirm' | 'add';

interface ChallengeUse {
  readonly purpose: PasskeyPurpose;
  /** The user who must answer the challenge. Undefined for a login, in which the passkey names the user. */
  readonly userId: string | undefined;
}

const VALID_SECONDS = 5 * 60;
const NONCE_BYTES = 16;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/**
 * Creates and checks the challenges that passkeys sign. A challenge is an encrypted text with its purpose, its end and
 * the browser for which it was created. The database stores only challenges that were answered correctly, so strangers
 * cannot fill it (docs/decisions/0132).
 */
@Injectable()
export class PasskeyChallenges {
  private readonly cipher: Cipher;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.cipher = new Cipher(config.sessionSecrets, 'passkey-challenge');
  }

  /** Returns a new challenge in base64url for the browser of a request. The browser must have a session cookie. */
  create(request: Request, { purpose, userId = '' }: ChallengeUse): string {
    const challenge = this.cipher.encrypt({
      nonce: randomBytes(NONCE_BYTES).toString('base64url'),
      browser: browserOf(request),
      purpose,
      userId,
      until: String(this.clock.seconds() + VALID_SECONDS),
    });
    return Buffer.from(challenge).toString('base64url');
  }

  /** Returns true if the challenge was created for this browser and this use in the last five minutes. */
  isValid(request: Request, challenge: string, { purpose, userId = '' }: ChallengeUse): boolean {
    const held = this.contentOf(challenge);
    return (
      browserOf(request) !== '' &&
      textOf(held, 'browser') === browserOf(request) &&
      textOf(held, 'purpose') === purpose &&
      textOf(held, 'userId') === userId &&
      this.clock.seconds() < Number(textOf(held, 'until'))
    );
  }

  /** Marks a valid challenge as used. Returns true for only one of several parallel calls with the same challenge. */
  async spend(manager: EntityManager, challenge: string): Promise<boolean> {
    const until = Number(textOf(this.contentOf(challenge), 'until'));
    const rows = await queryRows(manager, SPEND, [hashOf(challenge), until]);
    return rows.length === 1;
  }

  /** Deletes challenges that have expired. Keeps them for another hour, because the clocks of servers differ. */
  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    const expiresAt = Raw((column) => `${column} < now() - interval '1 hour'`);
    await deleteInBatches(this.database.manager.getRepository(SpentChallenge), { expiresAt });
  }

  private contentOf(challenge: string): unknown {
    return this.cipher.decrypt(Buffer.from(challenge, 'base64url').toString());
  }
}

/**
 * Identifies a browser by the CSRF token in its encrypted session cookie. Returns an empty text without a session. A
 * login replaces the token, and thereby ends all challenges of the browser.
 */
const browserOf = ({ session }: Request): string =>
  typeof session.csrfToken === 'string' ? hashOf(session.csrfToken).toString('base64url') : '';
