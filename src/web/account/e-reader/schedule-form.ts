import { ArrayMinSize, IsBoolean, Matches, ValidateBy, ValidateIf } from 'class-validator';

import { isTimeZone } from '../../../lib/util/time-zone.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Message, message } from '../../../platform/i18n/message.js';

/**
 * The days of the week, as the names of the form's check boxes. The settings store a day as its position in this array,
 * starting with 1.
 */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** The fields of a form about the times of a digest, as the user has filled them in. */
export class ScheduleForm {
  /** True if the digest is on. */
  @IsBoolean()
  digest!: boolean;

  @Matches(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  time!: string;

  @ValidateBy({
    name: 'isTimeZone',
    validator: { validate: (zone) => typeof zone === 'string' && isTimeZone(zone) },
  })
  zone!: string;

  @ValidateIf(({ digest }: ScheduleForm) => digest)
  @ArrayMinSize(1)
  weekdays!: number[];
}

/** The error messages of the fields, keyed by field name. */
export const SCHEDULE_RULES: readonly (readonly [field: string, text: Message])[] = [
  ['time', message('eReader.rules.time')],
  ['zone', message('eReader.rules.zone')],
  ['weekdays', message('eReader.rules.weekdays')],
];

/** Reads the fields that the user has sent. The values may be invalid. */
export function sentSchedule(body: unknown): Pick<ScheduleForm, keyof ScheduleForm> {
  const isChecked = (name: string): boolean => textOf(body, name) === '1';
  return {
    digest: isChecked('digest'),
    time: textOf(body, 'time'),
    zone: textOf(body, 'zone'),
    weekdays: WEEKDAYS.flatMap((day, at) => (isChecked(day) ? [at + 1] : [])),
  };
}

const MINUTES = 60;

/** Returns the minutes after midnight for a valid time of the form, such as 07:30. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * MINUTES + minutes;
}

/** Returns the time of the form for a number of minutes after midnight. */
export const timeAt = (minuteOfDay: number): string =>
  [Math.floor(minuteOfDay / MINUTES), minuteOfDay % MINUTES]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
