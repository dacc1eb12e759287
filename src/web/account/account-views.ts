import type { Permission } from '../../auth/consumers/permission.js';
import type { LoginWays } from '../login/login-ways.js';
import type { PermissionChoice } from '../permission-choices.js';
import type { FormError, FormSecrets, Moment } from '../views.js';
import type { EReaderForm } from './e-reader-form.js';
import type { QrPicture } from './qr-picture.js';

interface SignIn extends FormSecrets {
  readonly applicationName: string | undefined;
  readonly email: string;
  readonly errors: readonly FormError[];
  readonly ways: LoginWays;
}

/** An application or a personal key on the account page. */
export interface ApplicationCard {
  readonly id: string;
  readonly name: string;
  /** The kind of key, in words for users. */
  readonly kind: string;
  /** The login name of an application password. Undefined if there is no login name. */
  readonly loginName: string | undefined;
  /** A part of a sentence. */
  readonly permissions: string;
  readonly isDisabled: boolean;
  readonly since: Moment;
  readonly lastUsed: Moment | undefined;
}

/** A session on the account page. */
export interface SessionCard {
  readonly id: string;
  readonly device: string;
  readonly address: string;
  readonly since: Moment;
  readonly lastUsed: Moment;
  /** True for the session of the browser that shows the page. */
  readonly isThis: boolean;
}

/** An active second factor. */
export interface SecondFactorCard {
  readonly since: Moment;
  readonly recoveryCodesLeft: number;
}

/** An import on the account page. */
export interface ImportCard {
  readonly href: string;
  readonly fileName: string;
  readonly begun: Moment;
  /** A part of a sentence. */
  readonly summary: string;
}

/** The feed addresses on the account page. */
export interface FeedsCard {
  /** Each address is complete except for its format. */
  readonly lists: readonly { readonly title: string; readonly url: string }[];
  readonly tagUrl: string;
}

/** The result of a mail to an e-reader. */
interface MailOutcome {
  readonly at: Moment;
  readonly text: string;
}

/** The status of the mails to an e-reader. */
export interface EReaderCard {
  readonly nextDigest: Moment | undefined;
  readonly sent: MailOutcome | undefined;
  /** The result of the latest failed mail. Undefined if a later mail was sent successfully. */
  readonly failed: MailOutcome | undefined;
}

/** Models of the templates for login, consent and the account. */
export interface AccountViews {
  readonly 'sign-in': SignIn & {
    /** True if a form was sent after the session had ended. The form is kept until the login. */
    readonly isInterrupted: boolean;
    readonly notice: string | undefined;
    /** The link to the page for a forgotten password. Undefined if no mail can be sent. */
    readonly forgotHref: string | undefined;
    /** The link to the registration page. Undefined if the visitor cannot create an account. */
    readonly registerHref: string | undefined;
  };
  readonly forgot: FormSecrets & { readonly email: string; readonly errors: readonly FormError[] };
  readonly reset: FormSecrets & {
    readonly email: string;
    readonly token: string;
    readonly errors: readonly FormError[];
  };
  /** The page for a user who must open the link in a mail first. The user can request the mail again. */
  readonly 'unverified-email': FormSecrets & {
    readonly email: string;
    readonly isSentAgain: boolean;
  };
  readonly 'verify-email': FormSecrets & { readonly email: string; readonly token: string };
  readonly 'signed-out': { readonly issuerName: string; readonly againHref: string };
  readonly 'sign-in-code': FormSecrets & {
    readonly errors: readonly FormError[];
    readonly againHref: string | undefined;
  };
  readonly resend: FormSecrets & {
    readonly email: string;
    readonly action: string;
    readonly fields: readonly { readonly name: string; readonly value: string }[];
    readonly shown: readonly { readonly label: string; readonly value: string }[];
    readonly keptText: string;
  };
  readonly register: SignIn & {
    readonly name: string;
    readonly signInHref: string;
    /** The token of the invitation. Empty if there is no invitation. */
    readonly invitation: string;
    /** True if the new account will be the administrator's account. */
    readonly isFirst: boolean;
  };
  readonly consent: FormSecrets & {
    readonly application: { readonly name: string; readonly permissions: readonly string[] };
    readonly email: string;
    /** The address that the browser is redirected to after the answer. Undefined if the person stays on this site. */
    readonly destination: { readonly address: string; readonly isOfLink: boolean } | undefined;
  };
  readonly account: FormSecrets & {
    readonly name: string;
    readonly email: string;
    readonly isAdministrator: boolean;
    /** True if articles can be sent to e-readers. */
    readonly hasEReaderMail: boolean;
    /** The storage that the user's list occupies, such as `12.3 MB of 5 GB`. */
    readonly storage: string;
    /** True if password login is on and the user has a password. */
    readonly hasPassword: boolean;
    readonly notice: string | undefined;
    readonly sessions: readonly SessionCard[];
    readonly secondFactor: SecondFactorCard | undefined;
    readonly applications: readonly ApplicationCard[];
    readonly imports: readonly ImportCard[];
    /** The feed addresses of the user. Undefined if the user has no feed address. */
    readonly feeds: FeedsCard | undefined;
    /** The errors of the form that changes the password. */
    readonly errors: readonly FormError[];
  };
  readonly 'second-factor': FormSecrets & {
    readonly email: string;
    /** The state of the second factor. Undefined if the second factor is off. */
    readonly card: SecondFactorCard | undefined;
    /** The data with which an authenticator app is set up. Undefined if the second factor is on. */
    readonly setUp: { readonly secret: string; readonly picture: QrPicture } | undefined;
    readonly errors: readonly FormError[];
  };
  readonly 'recovery-codes': { readonly codes: readonly string[] };
  readonly extension: FormSecrets & {
    readonly address: string;
    /** The consumer key of the browser extension. Undefined if the extension has no key, or if the key is disabled. */
    readonly consumerKey: string | undefined;
    readonly isDisabled: boolean;
  };
  readonly 'personal-keys': FormSecrets & {
    readonly notice: string | undefined;
    readonly keys: readonly ApplicationCard[];
    /** The name of the key, as the user has typed it. */
    readonly name: string;
    readonly choices: readonly PermissionChoice[];
    readonly errors: readonly FormError[];
  };
  readonly 'personal-key': {
    readonly name: string;
    readonly consumerKey: string;
    readonly accessToken: string;
    readonly permissions: readonly Permission[];
    readonly address: string;
  };
  readonly 'catalogue/passwords': FormSecrets & {
    readonly name: string;
    readonly loginName: string;
    readonly choices: readonly PermissionChoice[];
    readonly errors: readonly FormError[];
  };
  /** A new application password, which is shown only once. */
  readonly 'catalogue/password': {
    readonly name: string;
    readonly email: string;
    /** The login name of the password. Empty if there is no login name. */
    readonly loginName: string;
    readonly password: string;
    /** True if the password allows access to the catalogue. */
    readonly canRead: boolean;
    /** The address of the catalogue. */
    readonly address: string;
  };
  readonly 'account/e-reader-page': FormSecrets & {
    readonly notice: string | undefined;
    /** The email address from which the mails are sent. */
    readonly sender: string;
    /**
     * The email address of the account if it is not confirmed. Until the confirmation, no mail is sent to the e-reader.
     */
    readonly unconfirmedEmail: string | undefined;
    /** The status of the mails. Undefined if no address of an e-reader is saved. */
    readonly card: EReaderCard | undefined;
    readonly form: EReaderForm;
    readonly days: readonly {
      readonly name: string;
      readonly label: string;
      readonly isChosen: boolean;
    }[];
    readonly zones: readonly string[];
    readonly errors: readonly FormError[];
  };
  readonly import: FormSecrets & {
    readonly fileName: string;
    readonly summary: string;
    readonly isUnfinished: boolean;
    /** The number of rows in the file. Undefined until the rows are counted. */
    readonly rows: number | undefined;
    readonly rowsDone: number;
    readonly counts: readonly { readonly name: string; readonly rows: number }[];
    /** The format of the file, and the reason why this format was recognized. Undefined until the format is known. */
    readonly format: string | undefined;
    /** Sentences about fields of the file that are not imported. */
    readonly notImported: readonly string[];
    readonly rowErrorsHref: string | undefined;
    readonly cancelAction: string;
  };
}
