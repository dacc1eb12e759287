import type { PermissionChoice } from '../permission-choices.js';
import type { FormError, FormSecrets } from '../views.js';

/** The view models of the pages for wallabag's apps, and of the pages for people who set up such apps. */
export interface WallabagViews {
  readonly 'wallabag/login': {
    readonly csrfToken: string;
    /** The reason why the login failed. */
    readonly error: string | undefined;
  };
  readonly 'wallabag/home': { readonly email: string; readonly address: string };
  readonly 'wallabag/developer': {
    readonly clients: readonly { readonly id: string; readonly name: string }[];
  };
  /** The form that wallabag's Android app fills in to create a client. */
  readonly 'wallabag/create-client': {
    readonly csrfToken: string;
    readonly name: string;
    readonly errors: readonly FormError[];
  };
  /** The form with which a user creates a client on the account pages. */
  readonly 'wallabag/clients': FormSecrets & {
    readonly name: string;
    readonly choices: readonly PermissionChoice[];
    readonly errors: readonly FormError[];
  };
  /** A new client. Its secret is shown only once. */
  readonly 'wallabag/client': {
    readonly name: string;
    readonly clientId: string;
    readonly clientSecret: string;
    /** The server address to enter in an app. */
    readonly address: string;
    readonly email: string;
    /** A link that opens wallabag's Android app and fills in its form. */
    readonly appUrl: string;
  };
}
