import { Dialect } from '../../consumers/dialect.js';
import type { ItemRow } from '../list/item-row.js';
import { Refusal } from '../list/outcome.js';
import { presentAddedItem } from './add.presenter.js';
import { DIALECT_RULES } from './dialect-rules.js';
import { type ActionResult, presentSend } from './send.presenter.js';

const ROW: ItemRow = {
  ...{ item_id: '4503599627370496', status: 0, favorite: 1, time_added: '1', time_updated: '1' },
  ...{
    time_read: '0',
    time_favorited: '0',
    given_url: 'http://example.com/a',
    given_title: '',
    prefers_given_title: false,
  },
  ...{ resolved_id: '0', resolved_url: '', resolved_title: '', excerpt: '', lang: '' },
  ...{ is_article: 0, is_index: 0, has_image: 0, has_video: 0, word_count: 0, top_image_url: '' },
  ...{ media: null, tags: [] },
};

const DONE: ActionResult = { ok: true };
const ADDED: ActionResult = { ok: true, itemId: ROW.item_id, row: ROW };
const REFUSED: ActionResult = { ok: false, refusal: Refusal.unknownAction('pv') };
const ERROR = { message: "Invalid Action: 'pv'", type: 'Bad request', code: 130 };

const wire = (results: readonly ActionResult[], dialect: Dialect): unknown =>
  JSON.parse(JSON.stringify(presentSend(results, DIALECT_RULES[dialect])));

describe('presentSend', () => {
  it('is in standard what the specification says', () => {
    expect(wire([DONE, REFUSED, DONE], Dialect.Standard)).toEqual({
      status: 0,
      action_results: [true, false, true],
      action_errors: [null, ERROR, null],
    });
    expect(wire([DONE, DONE], Dialect.Standard)).toEqual({
      status: 1,
      action_results: [true, true],
      action_errors: [null, null],
    });
  });

  it('is in classic what the original answered', () => {
    const item = JSON.parse(JSON.stringify(presentAddedItem(ROW)));

    expect(wire([DONE, REFUSED, ADDED], Dialect.Classic)).toEqual({
      status: 1,
      action_results: [true, false, item],
      action_errors: [null, ERROR, null],
    });
  });

  it.each(Object.values(Dialect))('is a success without any action in %s', (dialect) => {
    expect(wire([], dialect)).toEqual({ status: 1, action_results: [], action_errors: [] });
  });
});
