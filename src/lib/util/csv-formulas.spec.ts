import fc from 'fast-check';

import { escapeFormula, unescapeFormula } from './csv-formulas.js';

describe('a cell of a CSV file', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', "'=1", "''-1"])(
    'that begins with a formula is escaped: %j',
    (text) => {
      expect(escapeFormula(text)).toBe(`'${text}`);
    },
  );

  it.each(['', 'a=1', "'quoted'", "it's", '1-1', ' =1'])('stays as it is: %j', (text) => {
    expect(escapeFormula(text)).toBe(text);
    expect(unescapeFormula(text)).toBe(text);
  });

  it('is restored to the same text', () => {
    const text = fc
      .array(fc.constantFrom("'", '=', '-', '@', '\t', 'a', ' '))
      .map((all) => all.join(''));

    fc.assert(fc.property(text, (one) => unescapeFormula(escapeFormula(one)) === one));
  });
});
