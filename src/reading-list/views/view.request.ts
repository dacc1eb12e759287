import { message } from '../../platform/i18n/message.js';
import { type Reader, textReader, Unreadable } from '../../pocket-api/param-readers.js';
import { ChoiceParam, CustomParam, FlagParam, TextParam } from '../../pocket-api/params.js';
import { readDomain, readTagFilter } from '../list-param-readers.js';
import {
  type ListView,
  type SearchedIn,
  type TagWanted,
  usualSort,
  usualState,
} from './list-view.js';
import { type FilterChoice, FILTERS } from './view-filters.js';
import { type ListSort, RELEVANCE, SORTS } from './view-sorts.js';
import { type ListState, STATES } from './view-states.js';

const SEARCHED: Readonly<Record<SearchedIn, SearchedIn>> = { texts: 'texts', titles: 'titles' };

const MAX_SEARCH_LENGTH = 256;
const MAX_POSITION_LENGTH = 4000;
/** Each of the characters of a name may need two UTF-16 code units. */
const MAX_LIST_NAME_LENGTH = 200;

const readTagText = textReader({ max: 200 });

const readTag: Reader<TagWanted> = (value) => {
  const text = readTagText(value);
  const filter = readTagFilter(value);
  return text instanceof Unreadable || filter instanceof Unreadable
    ? new Unreadable('must be one tag', message('errors.tag'))
    : { text, filter };
};

const LANGUAGE = /^[a-z]{2,3}$/;

const readLanguage: Reader<string> = (value) => {
  const code = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return LANGUAGE.test(code) ? code : new Unreadable('must be a language code such as en');
};

/** The query parameters of the list page, and of the export of the list as a book. */
export class ListRequest {
  @ChoiceParam(STATES)
  state?: ListState;

  @CustomParam(readTag)
  tag?: TagWanted;

  @CustomParam(readDomain)
  site?: string;

  @CustomParam(readLanguage)
  language?: string;

  @ChoiceParam(FILTERS.time.choices)
  time?: FilterChoice;

  @ChoiceParam(FILTERS.progress.choices)
  progress?: FilterChoice;

  @ChoiceParam(FILTERS.kind.choices)
  kind?: FilterChoice;

  @ChoiceParam(FILTERS.failed.choices)
  failed?: FilterChoice;

  /** Sent by the filter form, whose address contains empty parameters. */
  @FlagParam()
  filter?: boolean;

  /** The name of the saved list from which the view was opened. */
  @TextParam({ max: MAX_LIST_NAME_LENGTH })
  list?: string;

  @TextParam({ max: MAX_SEARCH_LENGTH })
  search?: string;

  @ChoiceParam(SEARCHED)
  in?: SearchedIn;

  @ChoiceParam(SORTS)
  sort?: ListSort;

  /** The position of the item after which the requested page of the list begins. */
  @TextParam({ max: MAX_POSITION_LENGTH })
  after?: string;

  /** The position of the last item on the requested page of the list. */
  @TextParam({ max: MAX_POSITION_LENGTH })
  until?: string;

  toView(): ListView {
    const { list, tag, site, language, in: searchedIn = 'texts' } = this;
    const { time, progress, kind, failed } = this;
    const words = this.search?.trim();
    const search = words === '' ? undefined : words;
    const choices = { time, progress, kind, failed };
    const narrowed = { list, tag, site, language, choices, search, searchedIn };
    const usual = usualSort(narrowed);
    const sort = this.sort === undefined || this.sort === RELEVANCE ? usual : this.sort;
    return { ...narrowed, sort, state: this.state ?? usualState(narrowed) };
  }
}
