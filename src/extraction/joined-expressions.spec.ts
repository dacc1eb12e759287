import { analyse } from 'scslre';

/** The modules that join expressions of parts when they are loaded, which the linter does not see. */
const MODULES = [
  () => import('./documents/pdf-paragraphs.js'),
  () => import('./text/article-lines.js'),
  () => import('./text/labels.js'),
];

const joined: RegExp[] = [];

beforeAll(async () => {
  const Original = RegExp;
  const watching = jest.spyOn(globalThis, 'RegExp').mockImplementation((pattern, flags) => {
    const expression = new Original(pattern, flags);
    joined.push(expression);
    return expression;
  });
  await Promise.all(MODULES.map((load) => load()));
  watching.mockRestore();
});

const dangerous = ({ source, flags }: Pick<RegExp, 'source' | 'flags'>): boolean =>
  analyse({ source, flags }).reports.length > 0;

it('reads no text over and over with an expression that is joined of parts', () => {
  expect(joined.length).toBeGreaterThanOrEqual(6);
  expect(joined.filter(dangerous)).toEqual([]);
  expect(dangerous(/a+a+$/u)).toBe(true);
});
