import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';

import { ServiceBusyError } from '../common/common.errors.js';
import { Config } from '../config/config.js';
import { isWithinBcrypt } from './password-rules.js';

/** bcrypt shares libuv's four threads with DNS and files: more at a time would hold those up for seconds. */
const MAX_AT_A_TIME = Math.min(2, availableParallelism());
const MAX_WAITING = 40;

/** Hashes passwords and compares them, a few at a time (docs/decisions/0005). */
@Injectable()
export class Passwords {
  private readonly gate = pLimit(MAX_AT_A_TIME);
  /** A real hash at the live cost: comparing with anything less would answer at once and tell. */
  private readonly nobodysHash: string;

  constructor(private readonly config: Config) {
    this.nobodysHash = bcrypt.hashSync(randomBytes(32).toString('base64'), config.bcryptCost);
  }

  hash(password: string): Promise<string> {
    return this.run(() => bcrypt.hash(password, this.config.bcryptCost));
  }

  /** Takes as long without a hash, or with a password beyond 72 bytes, as it takes with them. */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const candidate = hash !== undefined && isWithinBcrypt(password) ? hash : this.nobodysHash;
    const isMatch = await this.run(() => bcrypt.compare(password, candidate));
    return isMatch && candidate === hash;
  }

  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) < this.config.bcryptCost;
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    if (this.gate.pendingCount >= MAX_WAITING) {
      throw new ServiceBusyError();
    }
    return this.gate(work);
  }
}
