import { type Message, message } from '../../platform/i18n/message.js';
import { minutesAsWords } from '../get/item.presenter.js';
import type { ItemFilter } from '../query/items-wanted.js';

/** One choice of a filter, such as articles under five minutes. */
export interface FilterChoice {
  /** The value of the parameter. */
  readonly name: string;
  readonly label: Message;
  readonly filter: ItemFilter;
}

/** The names of the filters with fixed choices. They are the names of the parameters. */
export type FilterName = 'time' | 'progress' | 'kind' | 'failed';

const MOST_WORDS = 2 ** 31 - 1;
const FEW_MINUTES = 5;
const MANY_MINUTES = 16;

/** All articles with a reading time. */
export const ANY_LENGTH = { from: 0, below: MOST_WORDS };

/**
 * The filters with fixed choices. Each row has the parameter, the label, and the filter of each choice, whose SQL is in
 * `reading-list/query`.
 */
export const FILTERS = {
  time: {
    label: message('list.filters.time.label'),
    choices: {
      short: {
        name: 'short',
        label: message('list.filters.time.short'),
        filter: { words: { from: 0, below: minutesAsWords(FEW_MINUTES) } },
      },
      medium: {
        name: 'medium',
        label: message('list.filters.time.medium'),
        filter: {
          words: { from: minutesAsWords(FEW_MINUTES), below: minutesAsWords(MANY_MINUTES) },
        },
      },
      long: {
        name: 'long',
        label: message('list.filters.time.long'),
        filter: { words: { from: minutesAsWords(MANY_MINUTES), below: MOST_WORDS } },
      },
    },
  },
  progress: {
    label: message('list.filters.progress.label'),
    choices: {
      unstarted: {
        name: 'unstarted',
        label: message('list.filters.progress.unstarted'),
        filter: { progress: 'unstarted' },
      },
      started: {
        name: 'started',
        label: message('list.filters.progress.started'),
        filter: { progress: 'started' },
      },
      finished: {
        name: 'finished',
        label: message('list.filters.progress.finished'),
        filter: { progress: 'finished' },
      },
    },
  },
  kind: {
    label: message('list.filters.kind.label'),
    choices: {
      article: {
        name: 'article',
        label: message('list.filters.kind.article'),
        filter: { contentType: 'article' },
      },
      video: {
        name: 'video',
        label: message('list.filters.kind.video'),
        filter: { contentType: 'video' },
      },
      image: {
        name: 'image',
        label: message('list.filters.kind.image'),
        filter: { contentType: 'image' },
      },
      pdf: { name: 'pdf', label: message('list.filters.kind.pdf'), filter: { isPdf: true } },
    },
  },
  failed: {
    label: message('list.filters.failed.label'),
    choices: {
      yes: {
        name: 'yes',
        label: message('list.filters.failed.yes'),
        filter: { isFetchFailed: true },
      },
    },
  },
} as const satisfies Readonly<
  Record<
    FilterName,
    { readonly label: Message; readonly choices: Readonly<Record<string, FilterChoice>> }
  >
>;

/** The selected choice of each filter. */
export type FilterChoices = Readonly<Partial<Record<FilterName, FilterChoice | undefined>>>;

/** The names of the filters, in the order of the form. */
export const FILTER_NAMES: readonly FilterName[] = ['time', 'progress', 'kind', 'failed'];

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** Returns the name of a language for people. Returns the code of an unknown language. */
export const languageName = (code: string): string => languageNames.of(code) ?? code;
