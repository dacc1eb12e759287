import { defined } from '../../lib/util/defined.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { ListRequest } from './view.request.js';
import { FILTER_NAMES, FILTERS } from './view-filters.js';
import { viewParams } from './view-params.js';
import { wantedOf } from './view-query.js';
import { SORTS } from './view-sorts.js';
import { STATES } from './view-states.js';

type Params = Readonly<Record<string, string>>;

const TYPED: readonly Params[] = [
  { tag: 'red' },
  { tag: '_untagged_' },
  { tag: 'red, Green,  blue sky' },
  { anytag: 'red, green' },
  { nottag: 'red' },
  { site: 'example.com' },
  { language: 'de' },
  { addedfrom: '2024-02-29', addedto: '2024-03-01' },
  { readfrom: '2024-02-29' },
  { readto: '2024-02-29' },
  { search: 'rivers' },
  { search: 'rivers', in: 'titles' },
];

const CHOICES: readonly Params[] = FILTER_NAMES.flatMap((name) =>
  Object.keys(FILTERS[name].choices).map((choice) => ({ [name]: choice })),
);

const NARROWED: readonly Params[] = [{}, ...TYPED, ...CHOICES];

const NOW = new Date('2026-03-05T12:00:00Z');
const PAGE = { count: 1, offset: 0 };

const viewOf = (params: object) => parseRequest(ListRequest, params).toView();
const queryOf = (params: object) => wantedOf(viewOf(params), PAGE, NOW);

describe('viewParams', () => {
  it.each(NARROWED)('returns the parameters of the same view for %j', (narrowed) => {
    for (const state of [undefined, ...Object.keys(STATES)]) {
      for (const sort of [undefined, ...Object.keys(SORTS)]) {
        const view = viewOf(defined({ ...narrowed, state, sort }));

        const again = viewOf(defined(viewParams(view)));

        expect(viewParams(again)).toEqual(viewParams(view));
        expect(wantedOf(again, PAGE, NOW)).toEqual(wantedOf(view, PAGE, NOW));
        expect([again.state, again.sort]).toEqual([view.state, view.sort]);
      }
    }
  });

  it('returns the parameters of all filters together', () => {
    const params = Object.assign({}, ...TYPED, { tag: 'a, b' }, ...CHOICES) as Params;

    const read = viewParams(viewOf(params));

    expect(defined(read)).toEqual(params);
  });

  it.each([
    [{ tag: ['a', 'b,A'] }, 'a, b'],
    [{ tag: ' a ,, b' }, 'a, b'],
  ])('writes the tags of %j as one parameter', (params, tag) => {
    expect(viewParams(viewOf(params)).tag).toBe(tag);
  });
});

describe('wantedOf', () => {
  const seconds = (date: string): number => Date.parse(date) / 1000;

  it.each([
    [{ added: 'day' }, { added: { from: seconds('2026-03-04T12:00:00Z') } }],
    [{ added: 'week' }, { added: { from: seconds('2026-02-26T12:00:00Z') } }],
    [{ added: 'year' }, { added: { from: seconds('2026-01-01T00:00:00Z') } }],
    [{ added: 'olderyear' }, { added: { below: seconds('2025-03-05T12:00:00Z') } }],
    [
      { addedfrom: '2026-02-01', addedto: '2026-02-28' },
      { added: { from: seconds('2026-02-01'), below: seconds('2026-03-01') } },
    ],
    [
      { added: 'oldermonth', addedfrom: '2025-01-01', addedto: '2026-12-31' },
      { added: { from: seconds('2025-01-01'), below: seconds('2026-02-03T12:00:00Z') } },
    ],
  ])('filters %j at a given time', (params, filter) => {
    expect(queryOf({ state: 'all', ...params }).filter).toEqual(filter);
  });

  it('is the same query during an hour, so that its pages belong together', () => {
    const filterAt = (time: string) =>
      wantedOf(viewOf({ added: 'week', state: 'all' }), PAGE, new Date(time)).filter;

    expect(filterAt('2026-03-05T12:59:59Z')).toEqual(filterAt('2026-03-05T12:00:00Z'));
    expect(filterAt('2026-03-05T13:00:00Z')).not.toEqual(filterAt('2026-03-05T12:00:00Z'));
  });

  it('shows archived items for a filter by the time of archiving', () => {
    const filter = { state: 'archive', read: { from: seconds('2026-02-26T12:00:00Z') } };

    expect(queryOf({ read: 'week' }).filter).toEqual(filter);
    expect(queryOf({ read: 'week', state: 'unread' }).filter).toEqual(filter);
  });

  it('shows all items that are not favorites instead of none of the favorites', () => {
    expect(queryOf({ favorite: 'no', state: 'favorites' }).filter).toEqual({ favorite: false });
  });

  it('counts only items for which the list has a counter', () => {
    const isCounted = (params: object) => queryOf(params).withTotal;

    expect([{}, { favorite: 'yes' }, { tag: 'a', state: 'all' }].map(isCounted)).toEqual([
      ...[true, true, true],
    ]);
    expect(
      [
        { tag: 'a', favorite: 'yes', state: 'all' },
        ...[{ tag: 'a,b', state: 'all' }, { nottag: 'a' }, { added: 'day' }, { note: 'yes' }],
      ].map(isCounted),
    ).toEqual([false, false, false, false, false]);
  });
});
