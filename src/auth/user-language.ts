import { type Language, languageIn } from '../platform/i18n/languages.js';
import type { Recipient } from '../platform/mail/mails.js';
import type { User } from './entities/user.entity.js';

/** Returns the language of texts that a user reads without a request of a browser, such as mails. */
export const languageOfUser = ({
  language,
  browserLanguage,
}: Pick<User, 'language' | 'browserLanguage'>): Language => languageIn(language ?? browserLanguage);

/** Returns the recipient of a mail to a user. `email` is another address of the user. */
export const recipientOf = (user: User, email = user.email): Recipient => ({
  email,
  language: languageOfUser(user),
});
