import { type Message, message } from '../../platform/i18n/message.js';
import { minutesAsWords } from '../get/item.presenter.js';
import { type ItemFilter, MOST_WORDS, type TimeSpan } from '../query/items-wanted.js';

/** One choice of a filter, such as articles under five minutes. */
export interface FilterChoice {
  /** The value of the parameter. */
  readonly name: string;
  readonly label: Message;
  /** Returns the filter at a time. A choice such as the last 7 days depends on it. */
  readonly filterAt: (now: Date) => ItemFilter;
}

/** The names of the filters with fixed choices. They are the names of the parameters. */
export type FilterName =
  | 'time'
  | 'progress'
  | 'kind'
  | 'added'
  | 'read'
  | 'favorite'
  | 'highlights'
  | 'note'
  | 'failed'
  | 'gone';

interface ChoiceFilter {
  readonly label: Message;
  readonly choices: Readonly<Record<string, FilterChoice>>;
  /** True if the form shows the field only on request. */
  readonly isRare: boolean;
}

const FEW_MINUTES = 5;
const MANY_MINUTES = 16;

/** All articles with a reading time. */
export const ANY_LENGTH = { from: 0, below: MOST_WORDS };

const DAY = 86_400;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;

const HOUR = 3600;
const MS_PER_HOUR = 1000 * HOUR;

/**
 * Returns the beginning of the hour of a time, in Unix seconds. Spans that moved each second would be another query for
 * each page of `/v3/get`, so page cursors and cached responses would never be used.
 */
const hourOf = (time: Date | number): number => Math.floor(Number(time) / MS_PER_HOUR) * HOUR;

/** The spans of time that the filters by date offer. Each one moves with the current hour. */
const SPANS: Readonly<Record<string, { label: Message; spanAt: (now: Date) => TimeSpan }>> = {
  day: {
    label: message('list.filters.dates.day'),
    spanAt: (now) => ({ from: hourOf(now) - DAY }),
  },
  week: {
    label: message('list.filters.dates.week'),
    spanAt: (now) => ({ from: hourOf(now) - 7 * DAY }),
  },
  month: {
    label: message('list.filters.dates.month'),
    spanAt: (now) => ({ from: hourOf(now) - MONTH }),
  },
  year: {
    label: message('list.filters.dates.year'),
    spanAt: (now) => ({ from: hourOf(Date.UTC(now.getUTCFullYear(), 0)) }),
  },
  oldermonth: {
    label: message('list.filters.dates.oldermonth'),
    spanAt: (now) => ({ below: hourOf(now) - MONTH }),
  },
  olderyear: {
    label: message('list.filters.dates.olderyear'),
    spanAt: (now) => ({ below: hourOf(now) - YEAR }),
  },
};

const spanChoices = (column: 'added' | 'read'): Readonly<Record<string, FilterChoice>> =>
  Object.fromEntries(
    Object.entries(SPANS).map(([name, { label, spanAt }]) => [
      name,
      { name, label, filterAt: (now) => ({ [column]: spanAt(now) }) },
    ]),
  );

/** Returns a choice whose filter does not depend on the time. */
const choice = (name: string, label: Message, filter: ItemFilter) => ({
  [name]: { name, label, filterAt: () => filter },
});

/**
 * The filters with fixed choices, in the order of the form. Each row has the parameter, the label, and the filter of
 * each choice, whose SQL is in `reading-list/query`.
 */
export const FILTERS: Readonly<Record<FilterName, ChoiceFilter>> = {
  time: {
    label: message('list.filters.time.label'),
    choices: {
      ...choice('short', message('list.filters.time.short'), {
        words: { from: 0, below: minutesAsWords(FEW_MINUTES) },
      }),
      ...choice('medium', message('list.filters.time.medium'), {
        words: { from: minutesAsWords(FEW_MINUTES), below: minutesAsWords(MANY_MINUTES) },
      }),
      ...choice('long', message('list.filters.time.long'), {
        words: { from: minutesAsWords(MANY_MINUTES), below: MOST_WORDS },
      }),
    },
    isRare: false,
  },
  progress: {
    label: message('list.filters.progress.label'),
    choices: {
      ...choice('unstarted', message('list.filters.progress.unstarted'), { progress: 'unstarted' }),
      ...choice('started', message('list.filters.progress.started'), { progress: 'started' }),
      ...choice('finished', message('list.filters.progress.finished'), { progress: 'finished' }),
    },
    isRare: false,
  },
  kind: {
    label: message('list.filters.kind.label'),
    choices: {
      ...choice('article', message('list.filters.kind.article'), { contentType: 'article' }),
      ...choice('video', message('list.filters.kind.video'), { contentType: 'video' }),
      ...choice('image', message('list.filters.kind.image'), { contentType: 'image' }),
      ...choice('pdf', message('list.filters.kind.pdf'), { isPdf: true }),
    },
    isRare: false,
  },
  added: {
    label: message('list.filters.added.label'),
    choices: spanChoices('added'),
    isRare: true,
  },
  read: { label: message('list.filters.read.label'), choices: spanChoices('read'), isRare: true },
  favorite: {
    label: message('list.filters.favorite.label'),
    choices: {
      ...choice('yes', message('list.filters.favorite.yes'), { favorite: true }),
      ...choice('no', message('list.filters.favorite.no'), { favorite: false }),
    },
    isRare: true,
  },
  highlights: {
    label: message('list.filters.highlights.label'),
    choices: {
      ...choice('yes', message('list.filters.highlights.yes'), { annotated: true }),
      ...choice('no', message('list.filters.highlights.no'), { annotated: false }),
    },
    isRare: true,
  },
  note: {
    label: message('list.filters.note.label'),
    choices: choice('yes', message('list.filters.note.yes'), { hasNote: true }),
    isRare: true,
  },
  failed: {
    label: message('list.filters.failed.label'),
    choices: choice('yes', message('list.filters.failed.yes'), { isFetchFailed: true }),
    isRare: true,
  },
  gone: {
    label: message('list.filters.gone.label'),
    choices: choice('yes', message('list.filters.gone.yes'), { isGone: true }),
    isRare: true,
  },
};

/** The selected choice of each filter. */
export type FilterChoices = Readonly<Partial<Record<FilterName, FilterChoice | undefined>>>;

/** The names of the filters, in the order of the form. */
export const FILTER_NAMES: readonly FilterName[] = [
  ...(['time', 'progress', 'kind', 'added', 'read'] as const),
  ...(['favorite', 'highlights', 'note', 'failed', 'gone'] as const),
];
