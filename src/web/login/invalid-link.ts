import { InvalidLinkError } from '../../auth/auth.errors.js';
import { type Message, message } from '../../platform/i18n/message.js';
import { messagePage } from '../message-page.js';
import type { ShownPage } from '../template.js';

/**
 * Returns the error page for a link that no longer works.
 * @throws `error` if it is not an InvalidLinkError
 */
export function invalidLinkPage(
  error: unknown,
  action: { readonly href: string; readonly label: Message },
): ShownPage {
  if (!(error instanceof InvalidLinkError)) {
    throw error;
  }
  const heading = message('passwordReset.invalidLink');
  return messagePage.page(
    { heading, text: error.advice, action },
    { status: 403, hasSecretAddress: true },
  );
}
