import { IsBoolean, Max, MaxLength, Min } from 'class-validator';

import type { EReaderChoice } from '../../../apis/e-reader-mail/e-reader-settings.repository.js';
import type { EReaderSettings } from '../../../apis/e-reader-mail/entities/e-reader-settings.entity.js';
import { IsAccountEmail } from '../../../auth/registration.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { type FormError, formErrorsOf } from '../../forms.js';
import { minutesOf, SCHEDULE_RULES, ScheduleForm, sentSchedule, timeAt } from './schedule-form.js';

const MAX_ADDRESS_LENGTH = 254;
const MOST_ARTICLES = 100;

/** The settings form, as the user has filled it in. */
export class EReaderForm extends ScheduleForm {
  @IsAccountEmail()
  @MaxLength(MAX_ADDRESS_LENGTH)
  address!: string;

  @IsBoolean()
  archives!: boolean;

  @IsBoolean()
  onlyNew!: boolean;

  @Min(1)
  @Max(MOST_ARTICLES)
  articles!: number;
}

/** The error messages of fields that have the same message for every error, keyed by field name. */
const RULES: ReadonlyMap<string, Message> = new Map([
  ...SCHEDULE_RULES,
  ['articles', message('eReader.rules.articles', { most: MOST_ARTICLES })],
]);

/** Returns the errors of the rejected form. Rethrows unexpected errors. */
export const eReaderErrorsOf = (error: unknown): FormError[] =>
  formErrorsOf(error).map(({ field, text }) => ({ field, text: RULES.get(field) ?? text }));

/** Default values of the form for a user without saved settings. */
const usualForm = (profileZone: string | null): EReaderForm => ({
  address: '',
  archives: false,
  digest: false,
  onlyNew: true,
  time: '07:00',
  zone: profileZone ?? 'UTC',
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  articles: 20,
});

/** Reads the form that the user has sent. The values may be invalid. */
export function sentForm(body: unknown): EReaderForm {
  const isChecked = (name: string): boolean => textOf(body, name) === '1';
  const articles = textOf(body, 'articles');
  return {
    ...sentSchedule(body),
    address: textOf(body, 'address'),
    archives: isChecked('archives'),
    onlyNew: isChecked('only_new'),
    articles: /^\d{1,3}$/.test(articles) ? Number(articles) : 0,
  };
}

/**
 * Validates the form and returns the settings.
 * @throws ValidationFailedError if a field is invalid.
 */
export function choiceOf(sent: EReaderForm): EReaderChoice {
  const form = parseRequest(EReaderForm, sent);
  return {
    address: form.address,
    archives: form.archives,
    onlyNew: form.onlyNew,
    hasDigest: form.digest,
    minuteOfDay: minutesOf(form.time),
    timeZone: form.zone,
    weekdays: form.weekdays,
    mostArticles: form.articles,
  };
}

/**
 * Returns the form with the saved settings of the user. Without saved settings, returns the form with default values and
 * the time zone of the user's profile.
 */
export function storedForm(
  settings: EReaderSettings | undefined,
  profileZone: string | null,
): EReaderForm {
  if (settings === undefined) {
    return usualForm(profileZone);
  }
  return {
    address: settings.address,
    archives: settings.archives,
    onlyNew: settings.onlyNew,
    digest: settings.nextDigestAt !== null,
    zone: settings.timeZone,
    time: timeAt(settings.minuteOfDay),
    weekdays: settings.weekdays,
    articles: settings.mostArticles,
  };
}
