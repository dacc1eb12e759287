import type { User } from '../../auth/entities/user.entity.js';
import { type Answer, redirect } from '../../platform/http/answer.js';
import type { ShownPage } from '../template.js';
import { type KeptForm, keptFormIn, keptText } from './kept-form.js';
import { destinationOf, type Onward, type OnwardFields, onwardIn } from './onward.js';
import { askToResend } from './resend/resend-page.js';

/** The data that the login pages pass on until the login is complete. */
export interface LoginVisit {
  readonly onward: Onward;
  /** The form that the person filled in before the session ended. */
  readonly kept?: KeptForm | undefined;
}

export const loginVisitIn = (fields: unknown): LoginVisit => ({
  onward: onwardIn(fields),
  kept: keptFormIn(fields),
});

/** Returns the hidden fields that pass the data on to the next page. */
export const onwardFieldsOf = ({ onward: { link, next }, kept }: LoginVisit): OnwardFields => ({
  link,
  next,
  kept: kept && keptText(kept),
});

/**
 * Continues after a login. Redirects to the request of an application or to another page, or shows the form that was
 * kept.
 */
export const goOn = (user: User, { onward, kept }: LoginVisit): ShownPage | Answer =>
  kept === undefined ? redirect(destinationOf(onward)) : askToResend(user, kept);
