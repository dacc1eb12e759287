import { planned } from '../../../test/support/planned-page.js';
import type { ConditionKind } from './conditions.js';

const NONE = [0, 0] as const;
const idSet = (kind: ConditionKind) => ({ kind: 'id set', by: expect.objectContaining({ kind }) });

describe('the order by reading time', () => {
  it('sorts all articles by reading time', () => {
    const words = { from: 0, below: 1e9 };
    const facts = { passed: [[0, 400], NONE] } as const;

    expect(planned({ words }, { ...facts, order: 'shortest' })).toEqual({
      complete: idSet('words'),
    });
    expect(planned({ words }, { ...facts, order: 'longest', offset: 500 })).toEqual({
      complete: idSet('words'),
    });
  });

  it('tests a common tag of all articles by a semi-join if they are sorted by reading time', () => {
    const filter = { words: { from: 0, below: 1e9 }, tag: { key: 'later' } };
    const facts = { tagged: 54_000, passed: [[0, 100] as const, [0, 400] as const] };

    expect(planned(filter, { ...facts, order: 'shortest' })).toEqual({
      complete: { ...idSet('words'), semiJoins: [expect.objectContaining({ kind: 'tag' })] },
    });
  });

  it('hashes the items of excluded tags if all articles are sorted by reading time', () => {
    const filter = { words: { from: 0, below: 1e9 }, noTag: ['later'] };
    const facts = { tagged: 54_000, passed: [[0, 300] as const, [0, 400] as const] };

    expect(planned(filter, { ...facts, order: 'shortest' }).complete).toEqual({
      ...idSet('words'),
      semiJoins: [expect.objectContaining({ kind: 'noTag' })],
    });
  });

  it.each([
    ['shortest', { from: 0, below: 3 }],
    ['longest', { from: 997, below: 1e9 }],
  ] as const)('reads only a part of the articles for the %s', (order, window) => {
    const rising = Array.from({ length: 400 }, (_, at) => (at < 200 ? at : 600 + at));
    const words = order === 'shortest' ? rising : rising.toReversed();
    const facts = { order, words, passed: [[0, 400], NONE] } as const;

    expect(planned({ words: { from: 0, below: 1e9 } }, facts)).toEqual({
      early: { ...idSet('words'), window },
      complete: idSet('words'),
    });
  });

  it('reads all articles if no sampled article meets the conditions', () => {
    const facts = { order: 'longest', words: Array<number>(400).fill(7), passed: [NONE] } as const;

    expect(planned({ words: { from: 0, below: 9 } }, facts)).toEqual({ complete: idSet('words') });
  });

  it('reads only a part of the articles that are not favorites, because the index shows which items are', () => {
    const words = Array.from({ length: 400 }, (_, at) => (at < 60 ? 0 : at));
    const facts = { order: 'shortest', words, passed: [[0, 396], [0, 400], NONE] } as const;
    const filter = { words: { from: 0, below: 1e9 }, favorite: false };

    expect(planned(filter, facts)).toEqual({
      early: { ...idSet('words'), window: { from: 0, below: 1 } },
      complete: idSet('words'),
    });
  });
});
