import { anItemRow } from '../../../test/support/an-item-row.js';
import { Dialect } from '../../auth/consumers/entities/consumer-key.entity.js';
import { presentAddedItem } from '../add/add.presenter.js';
import { DIALECT_RULES } from '../dialect-rules.js';
import { type ActionOutcome, Refusal } from '../list/action-outcome.js';
import { presentSend } from './send.presenter.js';

const ROW = anItemRow({ favorite: 1 });

const DONE: ActionOutcome = { ok: true };
const ADDED: ActionOutcome = { ok: true, itemId: ROW.item_id, row: ROW };
const REFUSED: ActionOutcome = { ok: false, refusal: Refusal.unknownAction('pv') };
const ERROR = { message: "Invalid Action: 'pv'", type: 'Bad request', code: 130 };

const json = (results: readonly ActionOutcome[], dialect: Dialect): unknown =>
  JSON.parse(JSON.stringify(presentSend(results, DIALECT_RULES[dialect])));

describe('presentSend', () => {
  it('is in standard what the specification says', () => {
    expect(json([DONE, REFUSED, DONE], Dialect.Standard)).toEqual({
      status: 0,
      action_results: [true, false, true],
      action_errors: [null, ERROR, null],
    });
    expect(json([DONE, DONE], Dialect.Standard)).toEqual({
      status: 1,
      action_results: [true, true],
      action_errors: [null, null],
    });
  });

  it('is in classic what the original answered', () => {
    const item = JSON.parse(JSON.stringify(presentAddedItem(ROW)));

    expect(json([DONE, REFUSED, ADDED], Dialect.Classic)).toEqual({
      status: 1,
      action_results: [true, false, item],
      action_errors: [null, ERROR, null],
    });
  });

  it.each(Object.values(Dialect))('is a success without any action in %s', (dialect) => {
    expect(json([], dialect)).toEqual({ status: 1, action_results: [], action_errors: [] });
  });
});
