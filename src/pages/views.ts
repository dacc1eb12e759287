import type { AuthorizationLink } from './account/authorization-link.js';

/** What every form sends along. */
interface FormSecrets {
  readonly csrfToken: string;
  /** What brought the person here, where an application did. */
  readonly link?: AuthorizationLink | undefined;
}

/** Why a form was not taken; `field` is the name of an input, or empty. */
export interface FormError {
  readonly field: string;
  readonly text: string;
}

/** A time as text for users, and in ISO 8601 for programs. */
export interface Moment {
  readonly iso: string;
  readonly text: string;
}

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

/** What each template shows. */
export interface Views {
  readonly 'sign-in': SignIn & { readonly registerHref: string };
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
    /** Those of the form that changes the password. */
    readonly errors: readonly FormError[];
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
  readonly message: {
    readonly heading: string;
    readonly text: string;
    readonly action?: { readonly href: string; readonly label: string };
  };
}

export type ViewName = keyof Views;
