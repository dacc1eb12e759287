import { Injectable } from '@nestjs/common';
import { IsOptional } from 'class-validator';

import { DEFAULT_LANGUAGE, type Language } from '../../platform/i18n/languages.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { EmailTakenError } from '../auth.errors.js';
import { AuditKind } from '../entities/audit-kinds.js';
import { LinkPurpose, type OneTimeLink } from '../entities/one-time-link.entity.js';
import type { User } from '../entities/user.entity.js';
import { IsAccountEmail } from '../registration.js';
import { UserRepository } from '../user.repository.js';
import { languageOfUser } from '../user-language.js';
import { OneTimeLinks } from './one-time-links.js';

const A_WEEK_SECONDS = 7 * 24 * 60 * 60;
const TOKEN_HASH = /^[0-9a-f]{64}$/;

/**
 * The HTML form that creates an invitation. If the form has no email address, anyone who has the link can use the
 * invitation.
 */
class InvitationRequest {
  @IsOptional()
  @IsAccountEmail()
  email?: string;
}

/**
 * A new invitation. The path contains the token, which is shown only once, because only its hash is
 * stored.
 */
export interface IssuedInvitation {
  readonly path: string;
  readonly email: string | undefined;
  /** True if the invitation was also mailed to the email address. */
  readonly isMailed: boolean;
}

/** Returns the language of the administrator, because the language of the invited person is not known yet. */
const languageFor = (creator: User | undefined): Language =>
  creator === undefined ? DEFAULT_LANGUAGE : languageOfUser(creator);

/**
 * Creates, lists and revokes invitations. With an invitation, a person can create an account even
 * if registration is closed.
 */
@Injectable()
export class Invitations {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly links: OneTimeLinks,
    private readonly users: UserRepository,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Creates an invitation. With an `address`, the invitation is valid only for this address, and is
   * mailed to it if mail is configured.
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
    await this.audit.administer({ kind: AuditKind.InvitationCreated, by: creator });
    const path = `/auth/register?invitation=${token}`;
    const isMailed = email !== undefined && this.mailer.isOn;
    if (isMailed) {
      const recipient = { email, language: languageFor(creator) };
      this.mailer.post(() => Promise.resolve(this.mails.invitation(recipient, path)));
    }
    return { path, email, isMailed };
  }

  /** Returns the newest 200 invitations that are neither used nor expired. */
  list(): Promise<OneTimeLink[]> {
    return this.links.list(LinkPurpose.Invitation);
  }

  /**
   * Returns the id of an invitation for a form. The id is the hash of the token, because the token
   * itself is not stored.
   */
  static idOf({ tokenHash }: OneTimeLink): string {
    return tokenHash.toString('hex');
  }

  /**
   * Revokes an invitation. Does nothing if the id is invalid, or if the invitation is already used, expired or revoked.
   */
  async revoke(id: string, by: User): Promise<void> {
    const purpose = LinkPurpose.Invitation;
    const isRevoked =
      TOKEN_HASH.test(id) && (await this.links.revoke(purpose, Buffer.from(id, 'hex')));
    if (isRevoked) {
      await this.audit.administer({ kind: AuditKind.InvitationRevoked, by });
    }
  }
}
