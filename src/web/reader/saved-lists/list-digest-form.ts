import { IsIn, Max, Min } from 'class-validator';

import { textOf } from '../../../platform/common/request-fields.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import type {
  DigestTarget,
  ListDigest,
} from '../../../reading-list/entities/list-digest.entity.js';
import type { ListDigestChoice } from '../../../reading-list/saved-lists/list-digest.repository.js';
import {
  minutesOf,
  SCHEDULE_RULES,
  ScheduleForm,
  sentSchedule,
  timeAt,
} from '../../account/e-reader/schedule-form.js';
import { type FormError, formErrorsOf } from '../../forms.js';

const MOST_ITEMS = 100;
const TARGETS: readonly DigestTarget[] = ['email', 'e-reader'];

/** The form of the digest of a list, as the user has filled it in. */
export class ListDigestForm extends ScheduleForm {
  @IsIn(TARGETS)
  target!: string;

  @Min(1)
  @Max(MOST_ITEMS)
  items!: number;
}

/** The error messages of the fields, keyed by field name. */
const RULES: ReadonlyMap<string, Message> = new Map([
  ...SCHEDULE_RULES,
  ['items', message('listDigest.itemsRule', { most: MOST_ITEMS })],
]);

/** Returns the errors of the rejected form. Rethrows unexpected errors. */
export const digestErrorsOf = (error: unknown): FormError[] =>
  formErrorsOf(error).map(({ field, text }) => ({ field, text: RULES.get(field) ?? text }));

/** Reads the form that the user has sent. The values may be invalid. */
export function digestFormIn(body: unknown): ListDigestForm {
  const items = textOf(body, 'items');
  return {
    ...sentSchedule(body),
    target: textOf(body, 'target'),
    items: /^\d{1,3}$/.test(items) ? Number(items) : 0,
  };
}

/**
 * Validates the form and returns the settings of the digest.
 * @throws ValidationFailedError if a field is invalid
 */
export function digestChoiceOf(sent: ListDigestForm): ListDigestChoice {
  const { target, time, zone, weekdays, items } = parseRequest(ListDigestForm, sent);
  return {
    target: target === 'e-reader' ? target : 'email',
    minuteOfDay: minutesOf(time),
    timeZone: zone,
    weekdays,
    mostItems: items,
  };
}

/** Returns the form with the saved settings, or with default values and the time zone of the user's profile. */
export const storedDigestForm = (
  digest: ListDigest | undefined,
  profileZone: string | null,
): ListDigestForm =>
  digest === undefined
    ? {
        digest: false,
        target: 'email',
        time: '07:00',
        zone: profileZone ?? 'UTC',
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        items: 20,
      }
    : {
        digest: digest.nextAt !== null,
        target: digest.target,
        time: timeAt(digest.minuteOfDay),
        zone: digest.timeZone,
        weekdays: digest.weekdays,
        items: digest.mostItems,
      };
