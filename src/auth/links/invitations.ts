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

/** Whom an invitation is for; anyone who has the link where no address is given. */
class InvitationRequest {
  @IsOptional()
  @IsAccountEmail()
  email?: string;
}

/** An invitation that is made; the path is shown once. */
export interface IssuedInvitation {
  readonly path: string;
  readonly email: string | undefined;
  /** It is sent to the address as well. */
  readonly isMailed: boolean;
}

/** Makes, lists and revokes the links with which people create accounts where registration is not open. */
@Injectable()
export class Invitations {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly users: UserRepository,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
  ) {}

  /** Throws ValidationFailedError for what is no address, EmailTakenError for that of an account. */
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

  /** The newest that still work, 200 at most. */
  list(): Promise<OneTimeLink[]> {
    return this.links.list(LinkPurpose.Invitation);
  }

  /** Names an invitation in a form; its token is not known any more. */
  static idOf({ tokenHash }: OneTimeLink): string {
    return tokenHash.toString('hex');
  }

  /** An id that is none, or of an invitation that does not work any more, changes nothing. */
  async revoke(id: string): Promise<void> {
    if (TOKEN_HASH.test(id)) {
      await this.links.revoke(LinkPurpose.Invitation, Buffer.from(id, 'hex'));
    }
  }
}
