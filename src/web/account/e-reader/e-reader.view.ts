import type { EReaderSettings } from '../../../apis/e-reader-mail/entities/e-reader-settings.entity.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import type { FormError } from '../../forms.js';
import { Template } from '../../template.js';
import type { EReaderForm } from './e-reader-form.js';
import { type ScheduleForm, WEEKDAYS } from './schedule-form.js';

/** The result of a mail to an e-reader. */
interface MailOutcome {
  readonly at: Date;
  readonly text: string;
}

/** The status of the mails to an e-reader. */
interface EReaderCard {
  readonly nextDigest: Date | undefined;
  readonly timeZone: string;
  readonly sent: MailOutcome | undefined;
  /** The result of the latest failed mail. Undefined if a later mail was sent successfully. */
  readonly failed: MailOutcome | undefined;
}

/** A day of the week as a check box of the form. */
export interface DayChoice {
  readonly name: string;
  readonly label: Message;
  readonly isChosen: boolean;
}

interface EReaderModel {
  readonly notice: Message | undefined;
  /** The email address from which the mails are sent. */
  readonly sender: string;
  /**
   * The email address of the account if it is not confirmed. Undefined if it is confirmed. Mail to the e-reader is sent
   * only after the confirmation.
   */
  readonly unconfirmedEmail: string | undefined;
  /** The status of the mails to the e-reader. Undefined if the user has not saved the address of an e-reader. */
  readonly card: EReaderCard | undefined;
  readonly form: EReaderForm;
  readonly days: readonly DayChoice[];
  readonly zones: readonly string[];
  readonly errors: readonly FormError[];
}

export const eReaderPage = new Template<EReaderModel>('account/e-reader/e-reader', {
  kind: 'reader',
});

const outcome = (at: Date | null, text: string): MailOutcome | undefined =>
  at === null ? undefined : { at, text };

export const eReaderCardOf = (settings: EReaderSettings): EReaderCard => ({
  nextDigest: settings.nextDigestAt ?? undefined,
  timeZone: settings.timeZone,
  sent: outcome(settings.lastSentAt, settings.lastSent),
  failed:
    (settings.lastFailedAt?.getTime() ?? 0) > (settings.lastSentAt?.getTime() ?? 0)
      ? outcome(settings.lastFailedAt, settings.lastError)
      : undefined,
});

export const dayChoices = ({ weekdays }: Pick<ScheduleForm, 'weekdays'>): DayChoice[] =>
  WEEKDAYS.map((name, at) => ({
    name,
    label: message(`eReader.days.${name}`),
    isChosen: weekdays.includes(at + 1),
  }));

/**
 * Returns the names of the time zones that the form offers. Adds UTC and the time zone of the user,
 * because `Intl.supportedValuesOf` omits UTC and alternative names of time zones.
 */
export const zonesWith = (chosen: string): readonly string[] => [
  ...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')].filter((zone) => zone !== '')),
];
