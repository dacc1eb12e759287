import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Not, Raw, Repository } from 'typeorm';

import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { deleteInBatches } from '../../platform/database/delete-in-batches.js';
import { Every } from '../../platform/jobs/every.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { KnownLogin } from '../entities/known-login.entity.js';
import type { Origin } from '../entities/origin.js';
import type { User } from '../entities/user.entity.js';
import { recipientOf } from '../user-language.js';
import { deviceName } from './device.js';

const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;
/**
 * The maximum numbers of notices per user and hour, and of stored logins per user. An attacker who
 * knows the password could otherwise log in with many device names to fill the mailbox and the
 * table.
 */
const MOST_IN_AN_HOUR = 10;
const MOST_OF_A_USER = 500;

/** Sends a mail to a user who logs in from a new device or a new network address (docs/decisions/0067). */
@Injectable()
export class LoginNotices {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    @InjectRepository(KnownLogin) private readonly known: Repository<KnownLogin>,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Stores a login and returns true if the user must get a notice. The first login of a user sends
   * no notice. The caller must have locked the user.
   */
  async note(manager: EntityManager, { id: userId }: User, origin: Origin): Promise<boolean> {
    if (this.config.mail?.hasLoginNotices !== true) {
      return false;
    }
    const known = manager.getRepository(KnownLogin);
    const key = { userId, origin: hashOfOrigin(origin) };
    const again = await known.update(key, { lastUsedAt: () => 'now()' });
    if (again.affected === 1) {
      return false;
    }
    const count = await known.countBy({ userId });
    const lately = await known.countBy({ userId, lastUsedAt: within('1 hour') });
    if (count < MOST_OF_A_USER) {
      await known.insert(key);
    }
    return count > 0 && lately < MOST_IN_AN_HOUR;
  }

  send(user: User, origin: Origin): void {
    const device = deviceName(origin.device);
    const login = { ...origin, device, at: this.clock.now(), dates: user };
    this.mailer.post(() => Promise.resolve(this.mails.newLogin(recipientOf(user), login)));
  }

  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await deleteInBatches(this.known, { lastUsedAt: Not(within('1 year')) });
  }
}

const within = (interval: string) => Raw((column) => `${column} > now() - interval '${interval}'`);

const hashOfOrigin = ({ device, address }: Origin): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([device, address]))
    .digest();
