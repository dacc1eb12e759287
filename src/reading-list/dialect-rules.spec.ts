import { Dialect } from '../auth/consumers/entities/consumer-key.entity.js';
import { DIALECT_RULES } from './dialect-rules.js';

const standard = DIALECT_RULES[Dialect.Standard];
const classic = DIALECT_RULES[Dialect.Classic];

describe('DIALECT_RULES', () => {
  it('has limits', () => {
    expect(standard.maxCount).toBe(30);
    expect(classic.maxCount).toBe(5000);
    expect(standard.defaultCount).toEqual({ full: 30, delta: 30 });
    expect(classic.defaultCount).toEqual({ full: 30, delta: 5000 });
  });

  it('has a status for an empty list', () => {
    expect(standard.emptyListStatus).toBe(1);
    expect(classic.emptyListStatus).toBe(2);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('has a status for a call of send, all done: %s', (areAllDone, status) => {
    expect(standard.sendStatus(areAllDone)).toBe(status);
    expect(classic.sendStatus(areAllDone)).toBe(1);
  });

  it('shows the items that were added, or does not', () => {
    expect(standard.returnsItems).toBe(false);
    expect(classic.returnsItems).toBe(true);
  });

  it.each([
    [{}, 'time_added'],
    [{ favorite: true }, 'time_favorited'],
    [{ favorite: true, state: 'archive' }, 'time_favorited'],
    [{ favorite: false }, 'time_added'],
    [{ state: 'archive' }, 'time_read'],
    [{ state: 'unread' }, 'time_added'],
    [{ favorite: true, since: 5 }, 'time_added'],
    [{ state: 'archive', since: 5 }, 'time_added'],
  ] as const)('orders %j by %s in classic', (filter, timeOrder) => {
    expect(classic.timeOrder(filter)).toBe(timeOrder);
    expect(standard.timeOrder(filter)).toBe('time_added');
  });
});
