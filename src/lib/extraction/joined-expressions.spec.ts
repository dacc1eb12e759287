import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { analyse } from 'scslre';

const SOURCES = import.meta.dirname;

/**
 * Lists the modules of extraction that build regular expressions from parts at load time. The linter does not check
 * these expressions.
 */
const modulesWithExpressions = (): string[] =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(?:spec|d)\.ts$/u.test(name))
    .filter((name) => /^const .*new RegExp\(/mu.test(readFileSync(join(SOURCES, name), 'utf8')));

const joined: RegExp[] = [];

beforeAll(async () => {
  const Original = RegExp;
  const watching = jest.spyOn(globalThis, 'RegExp').mockImplementation((pattern, flags) => {
    const expression = new Original(pattern, flags);
    joined.push(expression);
    return expression;
  });
  await Promise.all(modulesWithExpressions().map((name) => import(join(SOURCES, name))));
  watching.mockRestore();
});

const dangerous = ({ source, flags }: Pick<RegExp, 'source' | 'flags'>): boolean =>
  analyse({ source, flags }).reports.length > 0;

it('reads no text over and over with an expression that is joined of parts', () => {
  expect(joined.length).toBeGreaterThanOrEqual(7);
  expect(joined.filter(dangerous)).toEqual([]);
  expect(dangerous(/a+a+$/u)).toBe(true);
});
