import { formulaParts, markdownFormula } from './written-formulas.js';

const formulasIn = (text: string): string[] =>
  formulaParts(text)
    .filter(({ isFormula }) => isFormula)
    .map(({ text: tex, isDisplayed }) => (isDisplayed ? `[${tex}]` : tex));

it.each([
  [String.raw`So \(x^2\) grows.`, ['x^2']],
  [String.raw`So \[ x^2 \] grows.`, ['[x^2]']],
  ['So $$x^2$$ grows.', ['[x^2]']],
  ['So $x^2$ grows, and $y$ too.', ['x^2', 'y']],
  [String.raw`The price of \(x\) is $5.`, ['x']],
  ['It costs $5, and that costs $6.', []],
  ['It costs $5 and $6_000 more.', []],
  ['So $ x^2 $ is no formula.', []],
  [String.raw`So \( \) is empty.`, []],
  [String.raw`So \(x^2 has no end.`, []],
  [`So $${'x^2 '.repeat(600)}x$ is too long.`, []],
])('finds the formulas of text %#', (text, formulas) => {
  expect(formulasIn(text)).toEqual(formulas);
});

it('keeps the text around formulas in order', () => {
  expect(formulaParts(String.raw`So \(a\) and $b$.`).map(({ text }) => text)).toEqual([
    'So ',
    'a',
    ' and ',
    'b',
    '.',
  ]);
});

it('writes a formula as one line of Markdown', () => {
  expect(markdownFormula(' a\n + b ', false)).toBe('$a + b$');
  expect(markdownFormula('a', true)).toBe('$$a$$');
});
