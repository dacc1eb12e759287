import type { PermissionChoice } from '../permission-choices.js';
import type { FormError, FormSecrets } from '../views.js';

/** The view models of the pages for wallabag's apps, and for the people who set them up. */
export interface WallabagViews {
  readonly 'wallabag/login': {
    readonly csrfToken: string;
    /** The reason of a failed login. */
    readonly error: string | undefined;
  };
  readonly 'wallabag/home': { readonly email: string; readonly address: string };
  readonly 'wallabag/developer': {
    readonly clients: readonly { readonly id: string; readonly name: string }[];
  };
  /** wallabag's own form, which its app fills in. */
  readonly 'wallabag/create-client': {
    readonly csrfToken: string;
    readonly name: string;
    readonly errors: readonly FormError[];
  };
  /** The form on the account page. */
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
