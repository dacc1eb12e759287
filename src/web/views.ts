import type { AccountViews } from './account/account-views.js';
import type { AuthorizationLink } from './account/authorization-link.js';
import type { AdminViews } from './admin/admin-views.js';
import type { ReaderViews } from './reader/reader-views.js';
import type { WallabagViews } from './wallabag/wallabag-views.js';

/** What every form sends along. */
export interface FormSecrets {
  readonly csrfToken: string;
  /** What brought the person here, where an application did. */
  readonly link?: AuthorizationLink | undefined;
  /** Where the person goes on after logging in. */
  readonly next?: string | undefined;
  /** What the person had typed before that (login/kept-form.ts). */
  readonly kept?: string | undefined;
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

/** What each template shows. */
export interface Views extends AccountViews, AdminViews, ReaderViews, WallabagViews {
  readonly message: {
    readonly heading: string;
    readonly text: string;
    readonly action?: { readonly href: string; readonly label: string };
  };
}

export type ViewName = keyof Views;
