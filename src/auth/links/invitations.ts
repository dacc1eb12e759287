import { Injectable } from '@nestjs/common';
import { IsOptional } from 'class-validator';

import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { EmailTakenError } from '../auth.errors.js';
import { LinkPurpose, type OneTimeLink } from '../entities/one-time-link.entity.js';
import type { User } from '../entities/user.entity.js';
import { IsAccountEmail } from '../registration.js';
import { UserRepository } from '../user.repository.js';
import { OneTimeLinks } from './one-time-links.js';

const A_WEEK_SECONDS = 7 * 24 * 60 * 60;
const TOKEN_HASH = /^[0-9a-f]{64}$/;

/** The form for a new invitation. Without an email address, anyone who has the link may use it. */
class InvitationRequest {
  @IsOptional()
  @IsAccountEmail()
  email?: string;
}

/** A new invitation. The path is shown only once, because only the hash of its token is stored. */
export interface IssuedInvitation {
  readonly path: string;
  readonly email: string | undefined;
  /** True if the invitation was also mailed to the email address. */
  readonly isMailed: boolean;
}

/**
 * Creates, lists and revokes invitations. People with an invitation can create an account even if registration is not
 * open.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly users: UserRepository,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
  ) {}

  /**
   * Creates an invitation. With an address, it is valid only for this address, and is mailed if mail is set up.
   * @throws ValidationFailedError if the address is invalid.
   * @throws EmailTakenError if the address has an account.
   */
  async make(address: string | undefined, creator?: User): Promise<IssuedInvitation> {
    const { email } = parseRequest(
      InvitationRequest,
      address === undefined ? {} : { email: address },
    );
    if (email !== undefined && (await this.users.existsBy({ email }))) {
      throw new EmailTakenError();
    }
    const token = await this.links.make({
      purpose: LinkPurpose.Invitation,
      ttlSeconds: A_WEEK_SECONDS,
      ...(email !== undefined && { email }),
      ...(creator !== undefined && { createdBy: creator.id }),
    });
    const path = `/auth/register?invitation=${token}`;
    const isMailed = email !== undefined && this.mailer.isOn;
    if (isMailed) {
      this.mailer.post(() => Promise.resolve(this.mails.invitation(email, path)));
    }
    return { path, email, isMailed };
  }

  /** Returns the newest 200 invitations that are neither used nor expired. */
  list(): Promise<OneTimeLink[]> {
    return this.links.list(LinkPurpose.Invitation);
  }

  /**
   * Returns the id of an invitation for use in a form. The id is the hash of the token, because the token is not
   * stored.
   */
  static idOf({ tokenHash }: OneTimeLink): string {
    return tokenHash.toString('hex');
  }

  /** Revokes an invitation. An invalid id, or an invitation that no longer works, is a no-op. */
  async revoke(id: string): Promise<void> {
    if (TOKEN_HASH.test(id)) {
      await this.links.revoke(LinkPurpose.Invitation, Buffer.from(id, 'hex'));
    }
  }
}
