import { conditionsOf } from './conditions.js';
import { withRareLanguage } from './set-costs.js';

describe('withRareLanguage', () => {
  const conditions = conditionsOf({ isPdf: true, language: 'sv' });
  const bit = 2 ** conditions.findIndex(({ kind }) => kind === 'language');
  const sampleWith = (hits: number) => ({
    passed: Array.from({ length: 100 }, (_, at) => (at < hits ? bit : 0)),
  });

  it.each([
    ['no sampled item has it', 0, true],
    ['few sampled items have it', 3, true],
    ['many sampled items have it', 4, undefined],
  ])('compares the language with the sample if %s', (_case, hits, isRare) => {
    const marked = withRareLanguage(conditions, sampleWith(hits));

    expect(marked.map((one) => one.kind === 'language' && one.isRare)).toEqual(
      conditions.map(({ kind }) => kind === 'language' && isRare),
    );
  });

  it('changes nothing without a sample', () => {
    expect(withRareLanguage(conditions, undefined)).toEqual(conditions);
  });
});
