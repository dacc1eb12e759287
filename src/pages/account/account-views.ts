import type { FormError, FormSecrets, Moment } from '../views.js';

interface SignIn extends FormSecrets {
  readonly applicationName: string | undefined;
  readonly email: string;
  readonly errors: readonly FormError[];
}

/** An application on the account page. */
export interface ApplicationCard {
  readonly id: string;
  readonly name: string;
  /** A part of a sentence. */
  readonly permissions: string;
  readonly isDisabled: boolean;
  readonly since: Moment;
  readonly lastUsed: Moment | undefined;
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
  /** Each address is whole but for its format. */
  readonly lists: readonly { readonly title: string; readonly url: string }[];
  readonly tagUrl: string;
}

/** What the templates of logging in, consent and the account show. */
export interface AccountViews {
  readonly 'sign-in': SignIn & {
    /** A form came too late, and is kept meanwhile. */
    readonly isInterrupted: boolean;
    readonly registerHref: string | undefined;
  };
  readonly resend: FormSecrets & {
    readonly email: string;
    readonly action: string;
    readonly fields: readonly { readonly name: string; readonly value: string }[];
    readonly shown: readonly { readonly label: string; readonly value: string }[];
    readonly keptText: string;
  };
  readonly register: SignIn & { readonly name: string; readonly signInHref: string };
  readonly consent: FormSecrets & {
    readonly application: { readonly name: string; readonly permissions: readonly string[] };
    readonly email: string;
    /** Undefined where the person stays here. */
    readonly destination: { readonly address: string; readonly isOfLink: boolean } | undefined;
  };
  readonly account: FormSecrets & {
    readonly name: string;
    readonly email: string;
    readonly notice: string | undefined;
    readonly applications: readonly ApplicationCard[];
    readonly imports: readonly ImportCard[];
    /** Undefined where there is no feed address. */
    readonly feeds: FeedsCard | undefined;
    /** Those of the form that changes the password. */
    readonly errors: readonly FormError[];
  };
  readonly extension: FormSecrets & {
    readonly address: string;
    /** Undefined where the extension is not let in. */
    readonly consumerKey: string | undefined;
    readonly isDisabled: boolean;
  };
  readonly import: FormSecrets & {
    readonly fileName: string;
    readonly summary: string;
    readonly isUnfinished: boolean;
    /** Undefined until they are counted. */
    readonly rows: number | undefined;
    readonly rowsDone: number;
    readonly counts: readonly { readonly name: string; readonly rows: number }[];
    readonly rowErrorsHref: string | undefined;
    readonly cancelAction: string;
  };
}
