import { type Message, message } from '../../platform/i18n/message.js';

/** The flash messages of the account pages, keyed by the `done` query parameter. */
const NOTICES: ReadonlyMap<string, Message> = new Map([
  ['revoked', message('account.done.revoked')],
  ['key-revoked', message('account.done.keyRevoked')],
  ['e-reader', message('account.done.eReader')],
  ['e-reader-test', message('account.done.eReaderTest')],
  ['e-reader-confirm', message('account.done.eReaderConfirm')],
  ['e-reader-deleted', message('account.done.eReaderDeleted')],
  ['feeds', message('account.done.feeds')],
  ['feeds-revoked', message('account.done.feedsRevoked')],
  ['link-revoked', message('account.done.linkRevoked')],
  ['links-revoked', message('account.done.linksRevoked')],
  ['session-ended', message('account.done.sessionEnded')],
  ['sessions-ended', message('account.done.sessionsEnded')],
  ['second-factor-off', message('account.done.secondFactorOff')],
  ['passkey-added', message('account.done.passkeyAdded')],
  ['passkey-removed', message('account.done.passkeyRemoved')],
  ['passkey-renamed', message('account.done.passkeyRenamed')],
  ['password', message('account.done.password')],
  ['password-revoked', message('account.done.passwordRevoked')],
  ['reading', message('account.done.reading')],
  ['name', message('account.done.name')],
  ['email', message('account.done.email')],
  ['email-mailed', message('account.done.emailMailed')],
  ['email-cancelled', message('account.done.emailCancelled')],
  ['dates', message('account.done.dates')],
  ['language', message('account.done.language')],
]);

export const noticeOf = (done: string): Message | undefined => NOTICES.get(done);
