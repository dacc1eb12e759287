import { type Language, languageIn } from '../platform/i18n/languages.js';
import type { Recipient } from '../platform/mail/mails.js';
import type { User } from './entities/user.entity.js';

/** The language that a user has selected, and the language of the browser at the latest login. */
export type LanguageChoice = Pick<User, 'language' | 'browserLanguage'>;

/** Returns the language of texts that a user reads without a request of a browser, such as mails. */
export const languageOfUser = ({ language, browserLanguage }: LanguageChoice): Language =>
  languageIn(language ?? browserLanguage);

/** Returns the recipient of a mail to a user. `email` is another address of the user. */
export const recipientOf = (user: User, email = user.email): Recipient => ({
  email,
  language: languageOfUser(user),
});
