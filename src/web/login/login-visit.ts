import type { User } from '../../auth/entities/user.entity.js';
import { type Answer, redirect } from '../../platform/http/answer.js';
import { message } from '../../platform/i18n/message.js';
import type { ShownPage } from '../template.js';
import { type KeptForm, keptFormIn, keptText } from './kept-form.js';
import { destinationOf, type Onward, type OnwardFields, onwardIn } from './onward.js';
import { askToResend } from './resend/resend-page.js';

/** The data that each login page passes on to the next page until the login is complete. */
export interface LoginVisit {
  readonly onward: Onward;
  /** The form that the person sent after the session had ended. */
  readonly kept?: KeptForm | undefined;
}

export const loginVisitIn = (fields: unknown): LoginVisit => ({
  onward: onwardIn(fields),
  kept: keptFormIn(fields),
});

/** Returns the hidden fields with which a login page passes the data of the login on to the next page. */
export const onwardFieldsOf = ({ onward: { link, next }, kept }: LoginVisit): OnwardFields => ({
  link,
  next,
  kept: kept && keptText(kept),
});

/**
 * Returns the response to a completed login. Redirects to the page that the person wanted to open,
 * or asks the person to send a kept form again.
 */
export const goOn = (user: User, { onward, kept }: LoginVisit): ShownPage | Answer =>
  kept === undefined ? redirect(destinationOf(onward)) : askToResend(user, kept);

/** Returns the response to a completed confirmation of a login, as `goOn` does. */
export const goOnConfirmed = (user: User, { onward, kept }: LoginVisit): ShownPage | Answer =>
  kept === undefined
    ? redirect(destinationOf(onward))
    : askToResend(user, kept, { intro: message('confirm.resend') });
