import { type Reader, Unreadable } from '../../pocket-api/param-readers.js';
import { ChoiceParam, CustomParam, FlagParam, TextParam } from '../../pocket-api/params.js';
import { MAX_LIST_NAME_LENGTH } from '../list-param-readers.js';
import { type ListView, type SearchedIn, stateOf, usualSort } from './list-view.js';
import { FILTER_NAMES, type FilterChoice, FILTERS } from './view-filters.js';
import { type ListSort, RELEVANCE, SORTS } from './view-sorts.js';
import { type ListState, STATES } from './view-states.js';
import { TEXT_FILTERS, TEXT_NAMES, type TextFilter } from './view-texts.js';

const SEARCHED: Readonly<Record<SearchedIn, SearchedIn>> = { texts: 'texts', titles: 'titles' };

const MAX_SEARCH_LENGTH = 256;
const MAX_POSITION_LENGTH = 4000;

const LANGUAGE = /^[a-z]{2,3}$/;

const readLanguage: Reader<string> = (value) => {
  const code = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return LANGUAGE.test(code) ? code : new Unreadable('must be a language code such as en');
};

/** The query parameters of the list page, and of the export of the list as a book. */
export class ListRequest {
  @ChoiceParam(STATES)
  state?: ListState;

  @CustomParam(TEXT_FILTERS.tag.read)
  tag?: TextFilter;

  @CustomParam(TEXT_FILTERS.anytag.read)
  anytag?: TextFilter;

  @CustomParam(TEXT_FILTERS.nottag.read)
  nottag?: TextFilter;

  @CustomParam(TEXT_FILTERS.site.read)
  site?: TextFilter;

  @CustomParam(TEXT_FILTERS.addedfrom.read)
  addedfrom?: TextFilter;

  @CustomParam(TEXT_FILTERS.addedto.read)
  addedto?: TextFilter;

  @CustomParam(TEXT_FILTERS.readfrom.read)
  readfrom?: TextFilter;

  @CustomParam(TEXT_FILTERS.readto.read)
  readto?: TextFilter;

  @CustomParam(readLanguage)
  language?: string;

  @ChoiceParam(FILTERS.time.choices)
  time?: FilterChoice;

  @ChoiceParam(FILTERS.progress.choices)
  progress?: FilterChoice;

  @ChoiceParam(FILTERS.kind.choices)
  kind?: FilterChoice;

  @ChoiceParam(FILTERS.added.choices)
  added?: FilterChoice;

  @ChoiceParam(FILTERS.read.choices)
  read?: FilterChoice;

  @ChoiceParam(FILTERS.favorite.choices)
  favorite?: FilterChoice;

  @ChoiceParam(FILTERS.highlights.choices)
  highlights?: FilterChoice;

  @ChoiceParam(FILTERS.note.choices)
  note?: FilterChoice;

  @ChoiceParam(FILTERS.failed.choices)
  failed?: FilterChoice;

  @ChoiceParam(FILTERS.gone.choices)
  gone?: FilterChoice;

  /** Sent by the filter form, whose address contains empty parameters. */
  @FlagParam()
  filter?: boolean;

  /** The name of the saved list from which the view was opened. */
  @TextParam({ max: MAX_LIST_NAME_LENGTH })
  list?: string;

  /** Opens the filter form with all its fields. */
  @FlagParam()
  more?: boolean;

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
    const { list, language, in: searchedIn = 'texts' } = this;
    const words = this.search?.trim();
    const search = words === '' ? undefined : words;
    const choices = Object.fromEntries(FILTER_NAMES.map((name) => [name, this[name]]));
    const texts = Object.fromEntries(TEXT_NAMES.map((name) => [name, this[name]]));
    const narrowed = { list, texts, language, choices, search, searchedIn };
    const usual = usualSort(narrowed);
    const sort = this.sort === undefined || this.sort === RELEVANCE ? usual : this.sort;
    return { ...narrowed, sort, state: stateOf(narrowed, this.state) };
  }
}
