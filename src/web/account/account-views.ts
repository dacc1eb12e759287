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

/** An application on the account page, or a key of the user. */
export interface ApplicationCard {
  readonly id: string;
  readonly name: string;
  /** The users' name for this kind of key. */
  readonly kind: string;
  /** Login name of an application password, if it has one. */
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

/** The result of a mail. */
interface MailOutcome {
  readonly at: Moment;
  readonly text: string;
}

/** Status of the mails to an e-reader. */
export interface EReaderCard {
  readonly nextDigest: Moment | undefined;
  readonly sent: MailOutcome | undefined;
  /** Undefined if a later mail was sent. */
  readonly failed: MailOutcome | undefined;
}

/** Models of the templates for login, consent and the account. */
export interface AccountViews {
  readonly 'sign-in': SignIn & {
    /** True if a form came too late and is kept meanwhile. */
    readonly isInterrupted: boolean;
    readonly notice: string | undefined;
    /** Undefined if no mail can be sent. */
    readonly forgotHref: string | undefined;
    /** Undefined if the visitor cannot create an account. */
    readonly registerHref: string | undefined;
  };
  readonly forgot: FormSecrets & { readonly email: string; readonly errors: readonly FormError[] };
  readonly reset: FormSecrets & {
    readonly email: string;
    readonly token: string;
    readonly errors: readonly FormError[];
  };
  /** For a user to whom a link was sent, which can be sent again. */
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
    /** The token of the invitation; empty without one. */
    readonly invitation: string;
    /** True if the account will administer the installation. */
    readonly isFirst: boolean;
  };
  readonly consent: FormSecrets & {
    readonly application: { readonly name: string; readonly permissions: readonly string[] };
    readonly email: string;
    /** Undefined if the person stays on this site. */
    readonly destination: { readonly address: string; readonly isOfLink: boolean } | undefined;
  };
  readonly account: FormSecrets & {
    readonly name: string;
    readonly email: string;
    readonly isAdministrator: boolean;
    /** True if articles can be sent to e-readers. */
    readonly hasEReaderMail: boolean;
    /** Storage that the user occupies, such as `12.3 MB of 5 GB`. */
    readonly storage: string;
    /** True if the user has a password and password login is on. */
    readonly hasPassword: boolean;
    readonly notice: string | undefined;
    readonly sessions: readonly SessionCard[];
    readonly secondFactor: SecondFactorCard | undefined;
    readonly applications: readonly ApplicationCard[];
    readonly imports: readonly ImportCard[];
    /** Undefined if there is no feed address. */
    readonly feeds: FeedsCard | undefined;
    /** Errors of the form that changes the password. */
    readonly errors: readonly FormError[];
  };
  readonly 'second-factor': FormSecrets & {
    readonly email: string;
    /** Undefined if the second factor is off. */
    readonly card: SecondFactorCard | undefined;
    /** The data that an app reads; undefined if the second factor is on. */
    readonly setUp: { readonly secret: string; readonly picture: QrPicture } | undefined;
    readonly errors: readonly FormError[];
  };
  readonly 'recovery-codes': { readonly codes: readonly string[] };
  readonly extension: FormSecrets & {
    readonly address: string;
    /** Undefined if the extension has no key, or if its key is disabled. */
    readonly consumerKey: string | undefined;
    readonly isDisabled: boolean;
  };
  readonly 'personal-keys': FormSecrets & {
    readonly notice: string | undefined;
    readonly keys: readonly ApplicationCard[];
    /** The name, as the user has typed it. */
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
    /** Empty if there is no login name. */
    readonly loginName: string;
    readonly password: string;
    /** True if the password opens the catalogue. */
    readonly canRead: boolean;
    /** Address of the catalogue. */
    readonly address: string;
  };
  readonly 'account/e-reader-page': FormSecrets & {
    readonly notice: string | undefined;
    /** Address from which the mails are sent. */
    readonly sender: string;
    /** The address of the account, if it is not confirmed. Nothing is sent before the confirmation. */
    readonly unconfirmedEmail: string | undefined;
    /** Undefined if no address is saved. */
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
    /** Undefined until the rows are counted. */
    readonly rows: number | undefined;
    readonly rowsDone: number;
    readonly counts: readonly { readonly name: string; readonly rows: number }[];
    /** The format of the file and why it was chosen. Undefined until the format is known. */
    readonly format: string | undefined;
    /** Sentences on fields of the file that are not imported. */
    readonly notImported: readonly string[];
    readonly rowErrorsHref: string | undefined;
    readonly cancelAction: string;
  };
}
