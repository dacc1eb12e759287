import { Injectable } from '@nestjs/common';

import { Signatures } from '../../../platform/common/signatures.js';
import { Config } from '../../../platform/config/config.js';

const PURPOSE = 'satchel links that stop digests';
const TOKEN = /^(\d{1,19})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{32})$/;

/** The digest of a list, which a link turns off. */
export interface LinkedDigest {
  readonly userId: string;
  readonly listId: string;
}

/**
 * Creates and verifies the links that turn off one digest without a login. The signature is not stored. It never
 * expires, because people also open old mails.
 */
@Injectable()
export class DigestLinks {
  private readonly signatures: Signatures;

  constructor({ sessionSecrets }: Config) {
    this.signatures = new Signatures(sessionSecrets, PURPOSE);
  }

  /** Returns the path of the page that turns off a digest. */
  stopPathOf({ userId, listId }: LinkedDigest): string {
    const id = `${userId}.${listId}`;
    return `/unsubscribe/${id}.${this.signatures.of(id)}`;
  }

  /** Returns the digest of a link, or undefined if this service has not signed the link. */
  digestIn(token: string): LinkedDigest | undefined {
    const [, userId = '', listId = '', signature = ''] = TOKEN.exec(token) ?? [];
    return this.signatures.isOf(`${userId}.${listId}`, signature) ? { userId, listId } : undefined;
  }
}
