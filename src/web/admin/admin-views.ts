import type { PermissionChoice } from '../permission-choices.js';
import type { FormError, FormSecrets, Moment } from '../views.js';

/** A row of a table of figures. */
export interface Figure {
  readonly name: string;
  readonly value: string;
}

/** A link to an administration page, with facts about its object. */
export interface AdminCard {
  readonly href: string;
  readonly title: string;
  /** The facts about the object, shown in one line. */
  readonly facts: readonly string[];
}

/** An action on a user or a key. Each action has its own button. */
interface AdminAction {
  readonly action: string;
  readonly label: string;
  readonly hint: string;
  /** An additional field of the form. */
  readonly field?: { readonly name: string; readonly value: string };
}

interface AdminPage extends FormSecrets {
  readonly notice: string | undefined;
  readonly errors: readonly FormError[];
}

/** Models of the templates of the administrator's pages. */
export interface AdminViews {
  readonly 'admin/overview': {
    readonly registration: string;
    readonly figures: readonly { readonly heading: string; readonly rows: readonly Figure[] }[];
  };
  readonly 'admin/users': AdminPage & {
    readonly search: string;
    readonly users: readonly AdminCard[];
    readonly nextHref: string | undefined;
  };
  readonly 'admin/user': AdminPage & {
    readonly email: string;
    readonly facts: readonly Figure[];
    readonly created: Moment;
    readonly actions: readonly AdminAction[];
    readonly deleteHref: string;
  };
  readonly 'admin/keys': AdminPage & {
    readonly name: string;
    readonly keys: readonly AdminCard[];
    readonly permissions: readonly PermissionChoice[];
  };
  readonly 'admin/key': AdminPage & {
    readonly name: string;
    readonly facts: readonly Figure[];
    readonly created: Moment;
    readonly permissions: readonly PermissionChoice[];
    readonly permissionsAction: string;
    readonly actions: readonly AdminAction[];
    readonly deleteHref: string;
  };
  readonly 'admin/invitations': AdminPage & {
    readonly email: string;
    readonly invitations: readonly {
      readonly id: string;
      readonly recipient: string;
      readonly madeBy: string;
      readonly expires: Moment;
    }[];
  };
  /** The page that asks for confirmation before an action that cannot be undone. */
  readonly 'admin/confirm': FormSecrets & {
    readonly heading: string;
    readonly text: string;
    readonly action: string;
    readonly label: string;
    readonly backHref: string;
  };
  /** The page that shows a new secret. The secret cannot be shown again. */
  readonly 'admin/secret': {
    readonly heading: string;
    readonly text: string;
    readonly label: string;
    readonly value: string;
    readonly backHref: string;
  };
}
