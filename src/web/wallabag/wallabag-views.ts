import type { PermissionChoice } from '../permission-choices.js';
import type { FormError, FormSecrets } from '../views.js';

/** What the pages show that are for wallabag's apps, and for the people who set them up. */
export interface WallabagViews {
  readonly 'wallabag/login': {
    readonly csrfToken: string;
    /** Why the visitor is not logged in. */
    readonly error: string | undefined;
  };
  readonly 'wallabag/home': { readonly email: string; readonly address: string };
  readonly 'wallabag/developer': {
    readonly clients: readonly { readonly id: string; readonly name: string }[];
  };
  /** The form of wallabag's own page, as its app fills it in. */
  readonly 'wallabag/create-client': {
    readonly csrfToken: string;
    readonly name: string;
    readonly errors: readonly FormError[];
  };
  /** The form of the account. */
  readonly 'wallabag/clients': FormSecrets & {
    readonly name: string;
    readonly choices: readonly PermissionChoice[];
    readonly errors: readonly FormError[];
  };
  /** A new client; its secret is shown this once. */
  readonly 'wallabag/client': {
    readonly name: string;
    readonly clientId: string;
    readonly clientSecret: string;
    /** What is typed as the address of the server. */
    readonly address: string;
    readonly email: string;
    /** Opens wallabag's Android app, and fills in its form. */
    readonly appUrl: string;
  };
}
