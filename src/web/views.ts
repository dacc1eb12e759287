import type { AccountViews } from './account/account-views.js';
import type { AuthorizationLink } from './account/authorization-link.js';
import type { AdminViews } from './admin/admin-views.js';
import type { ReaderViews } from './reader/reader-views.js';
import type { WallabagViews } from './wallabag/wallabag-views.js';

/** The hidden fields that every form has. */
export interface FormSecrets {
  readonly csrfToken: string;
  /** The parameters of an application's request, if an application opened the login page. */
  readonly link?: AuthorizationLink | undefined;
  /** The page to open after the login. */
  readonly next?: string | undefined;
  /** The form that was sent before the login (login/kept-form.ts). */
  readonly kept?: string | undefined;
}

/** The reason why a form was rejected. `field` is the name of the rejected input, or empty. */
export interface FormError {
  readonly field: string;
  readonly text: string;
}

/** A time as readable text, and in ISO 8601. */
export interface Moment {
  readonly iso: string;
  readonly text: string;
}

/** The view models of all templates. */
export interface Views extends AccountViews, AdminViews, ReaderViews, WallabagViews {
  readonly message: {
    readonly heading: string;
    readonly text: string;
    readonly action?: { readonly href: string; readonly label: string };
  };
}

export type ViewName = keyof Views;
