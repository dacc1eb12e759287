import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { MessageTree } from '../../src/platform/i18n/message-tree.js';
import { textsIn, withoutPlural } from '../support/message-problems.js';

const MESSAGES = 'src/platform/i18n/messages/en.json';

/** The section with the texts of the browser extension. See extension-texts.contract-spec.ts. */
const EXTENSION = /^browserExtension\./;

/** A key in a template or in TypeScript, such as `t('list.title')` or `message(`list.states.${state}`)`. */
const KEY = /['"`]([a-z][A-Za-z]*(?:\.(?:[A-Za-z]+|\$\{[^}]+\}))+)['"`]/g;

const templates = (): string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eta'))
    .map((name) => readFileSync(join('src', name), 'utf8'));

const sources = (): string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|eta|js)$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join('src', name), 'utf8'));

describe('messages in en.json', () => {
  const tree = JSON.parse(readFileSync(MESSAGES, 'utf8')) as MessageTree;
  const keys = new Set(
    textsIn(tree)
      .map(([key]) => withoutPlural(key))
      .filter((key) => !EXTENSION.test(key)),
  );
  const written = new Set(
    sources().flatMap((text) => [...text.matchAll(KEY)].map(([, key]) => key)),
  );
  const patterns = [...written].flatMap((key = '') =>
    key.includes('${')
      ? [new RegExp(`^${key.replaceAll('.', String.raw`\.`).replaceAll(/\$\{[^}]+\}/g, '[^.]+')}$`)]
      : [],
  );

  it('are all used by the code', () => {
    const unused = [...keys].filter(
      (key) => key !== 'plain' && !written.has(key) && !patterns.some((one) => one.test(key)),
    );

    expect(unused).toEqual([]);
  });

  it('include each key that a template uses', () => {
    const used = templates().flatMap((text) =>
      [...text.matchAll(/\b(?:t|html)\('([\w.]+)'/g)].map(([, key = '']) => key),
    );

    expect(used.length).toBeGreaterThan(100);
    expect(used.filter((key) => !keys.has(key))).toEqual([]);
  });

  it('receive all their values from the templates', () => {
    const texts = new Map(textsIn(tree));
    const missing = templates().flatMap((template) =>
      [...template.matchAll(/\b(?:t|html)\('([\w.]+)'(?=(.{0,400}))/gs)].flatMap(
        ([, key = '', rest = '']) =>
          valuesOf(texts, key)
            .filter((name) => !new RegExp(String.raw`\b${name}\b\s*[:,}]`).test(rest))
            .map((name) => `${key}: ${name}`),
      ),
    );

    expect(missing).toEqual([]);
  });
});

/** Returns the names of the values and tags in a message, including its plural forms. */
const valuesOf = (texts: ReadonlyMap<string, string>, key: string): string[] => {
  const text = [key, `${key}_one`, `${key}_other`].map((name) => texts.get(name) ?? '').join(' ');
  return [...text.matchAll(/\{\{(\w+)\}\}|<(\w+)\/?>/g)].map(
    ([, value, tag]) => value ?? tag ?? '',
  );
};
