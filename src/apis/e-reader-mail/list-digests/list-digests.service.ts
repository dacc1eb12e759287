import { Injectable } from '@nestjs/common';

import { Clock } from '../../../platform/common/clock.js';
import { Mailer } from '../../../platform/mail/mailer.js';
import type { ListDigest } from '../../../reading-list/entities/list-digest.entity.js';
import {
  type ListDigestChoice,
  ListDigestRepository,
} from '../../../reading-list/saved-lists/list-digest.repository.js';
import { nextDigestAt } from '../digest-times.js';
import { EReaderMail } from '../e-reader-mail.service.js';
import type { LinkedDigest } from './digest-links.js';

/** Reads and changes the digests of saved lists. */
@Injectable()
export class ListDigests {
  constructor(
    private readonly digests: ListDigestRepository,
    private readonly mailer: Mailer,
    private readonly eReaders: EReaderMail,
    private readonly clock: Clock,
  ) {}

  /** False if the operator has configured no mail server. */
  get isOn(): boolean {
    return this.mailer.isOn;
  }

  of(key: LinkedDigest): Promise<ListDigest | undefined> {
    return this.digests.ofList(key);
  }

  /** True if digests can be sent to an e-reader of the user. */
  async hasEReader(userId: string): Promise<boolean> {
    return (await this.eReaders.settingsOf(userId)) !== undefined;
  }

  /** Stores the settings of a digest, and turns it on or off. */
  async keep(key: LinkedDigest, choice: ListDigestChoice, isOn: boolean): Promise<void> {
    const next = isOn ? nextDigestAt(choice, this.clock.now()) : undefined;
    await this.digests.put(key, choice, next ?? null);
  }

  /** Turns off a digest. Does nothing if it is off or does not exist. */
  async turnOff(key: LinkedDigest): Promise<void> {
    await this.digests.turnOff(key);
  }
}
