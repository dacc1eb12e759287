import { DomainError } from '../platform/common/common.errors.js';
import { type Message, message } from '../platform/i18n/message.js';

export class EmailTakenError extends DomainError {
  override readonly code = 'email_taken';
  override readonly advice = message('errors.emailTaken');

  constructor() {
    super('There is an account with this email address already.');
  }
}

/**
 * Registration is closed, and the request has no invitation. In the registration mode `invite`, the
 * message says that an invitation is needed.
 */
export class RegistrationClosedError extends DomainError {
  override readonly code = 'registration_closed';
  override readonly advice: Message;

  constructor(isByInvitation: boolean) {
    super(
      isByInvitation
        ? 'Accounts are created by invitation here: ask the administrator for one.'
        : 'Registration is closed here.',
    );
    this.advice = message(
      isByInvitation ? 'errors.registrationByInvitation' : 'errors.registrationClosed',
    );
  }
}

/**
 * A page of a stranger's website has sent the registration of the first account, which would become the administrator
 * (docs/decisions/0146).
 */
export class FirstAccountError extends DomainError {
  override readonly code = 'registration_closed';

  constructor() {
    super('Create the first account on the pages of this service: it becomes the administrator.');
  }
}

/** The invitation is unknown, used, expired, revoked, or for another email address. The error does not reveal which. */
export class InvalidInvitationError extends DomainError {
  override readonly code = 'invalid_invitation';
  override readonly advice = message('errors.invitation');

  constructor() {
    super('The invitation is used or has expired, or is for another email address.');
  }
}

export class AdministratorNeededError extends DomainError {
  override readonly code = 'administrator_needed';

  constructor() {
    super('Only administrators may do this.');
  }
}

export class LastAdministratorError extends DomainError {
  override readonly code = 'last_administrator';
  override readonly advice = message('errors.lastAdministrator');

  constructor() {
    super('This is the last administrator: make another user one first.');
  }
}

/** The email address is unknown, the password is wrong, or the account is disabled. The error does not reveal which. */
export class InvalidCredentialsError extends DomainError {
  override readonly code = 'invalid_credentials';

  constructor() {
    super('The credentials are not valid.');
  }
}

/**
 * The password is right, but the code of the authenticator app is missing. With a wrong password, the error is
 * InvalidCredentialsError.
 */
export class OtpRequiredError extends DomainError {
  override readonly code = 'otp_required';

  constructor() {
    super('The account has a second factor: send otp, a code of its app or a recovery code.');
  }
}

export class InvalidOtpError extends DomainError {
  override readonly code = 'invalid_otp';

  constructor() {
    super('The code is wrong, or was used before.');
  }
}

/**
 * The password is right, but the email address is not verified. With a wrong password, the error is
 * InvalidCredentialsError.
 */
export class EmailNotVerifiedError extends DomainError {
  override readonly code = 'email_not_verified';

  constructor() {
    super('The email address is not confirmed yet: open the link that was sent to it.');
  }
}

/** The one-time link is unknown, used or expired, or its account is disabled. The error does not reveal which. */
export class InvalidLinkError extends DomainError {
  override readonly code = 'invalid_link';
  override readonly advice = message('errors.invalidLink');

  constructor() {
    super('The link is used or has expired: ask for another one.');
  }
}

/** Login by password is off, because users log in with an OpenID Connect issuer or through a proxy. */
export class PasswordLoginOffError extends DomainError {
  override readonly code = 'password_login_off';

  constructor() {
    super('Passwords are not used here.');
  }
}

/** The OpenID Connect issuer sends no response, or an invalid response. */
export class IssuerUnavailableError extends DomainError {
  override readonly code = 'issuer_unavailable';
  override readonly advice: Message;

  constructor(name: string) {
    super(`${name} cannot be reached at the moment: try again later.`);
    this.advice = message('login.ways.issuerUnreachable', { issuer: name });
  }
}

/** A login with an OpenID Connect issuer or through a proxy was rejected. The message contains the reason. */
export class LoginRefusedError extends DomainError {
  override readonly code = 'login_refused';

  constructor(
    text: string,
    override readonly advice: Message = message('login.refused.other'),
  ) {
    super(text);
  }
}

export class InvalidRefreshTokenError extends DomainError {
  override readonly code = 'invalid_refresh_token';

  constructor() {
    super('The refresh token is not valid: log in again.');
  }
}

export class UserNotFoundError extends DomainError {
  override readonly code = 'not_found';

  constructor(email: string) {
    super(`There is no user ${email}.`);
  }
}
