import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { extensionTexts } from '../support/extension-texts.js';

const SCRIPT = 'scripts/extension-locales.mjs';

interface Tree {
  readonly [name: string]: string | Tree;
}

describe('scripts/extension-locales.mjs', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'satchel-extension-locales-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const writeSection = (language: string, browserExtension: Tree): void => {
    writeFileSync(join(folder, `${language}.json`), JSON.stringify({ browserExtension }));
  };
  const write = (language: string, list: Tree): void => {
    writeSection(language, { list });
  };
  const run = (): void => {
    execFileSync(process.execPath, [SCRIPT, folder, join(folder, 'locales')], { stdio: 'pipe' });
  };

  it('writes each language with its own plural forms and order of values', () => {
    write('en', {
      size: '{{used}} of {{limit}}',
      items_one: '1 item',
      items_other: '{{count}} items',
    });
    write('pl', { size: '{{limit}}: {{used}}', items_few: '{{count}} elementy' });
    write('pt-BR', { size: '$$ {{used}}, $1 {{limit}}$' });
    writeFileSync(join(folder, 'fr.json'), '{}');

    run();

    const locales = join(folder, 'locales');
    const values = { used: '$1', limit: 'L' };
    expect(readdirSync(locales).toSorted()).toEqual(['en', 'pl', 'pt_BR']);
    expect(extensionTexts('en', locales).text('list.size', values)).toBe('$1 of L');
    expect(extensionTexts('en', locales).text('list.items', { count: 1 })).toBe('1 item');
    expect(extensionTexts('pl', locales).text('list.size', values)).toBe('L: $1');
    expect(extensionTexts('pl', locales).text('list.items', { count: 3 })).toBe('3 elementy');
    expect(extensionTexts('pt_BR', locales).text('list.size', values)).toBe('$$ $1, $1 L$');
    expect(extensionTexts('pt_BR', locales).language()).toBe('pt-BR');
  });

  it.each([
    ['an unknown value', '{{used}}', '{{used}} von {{limit}}', 'has an unknown value limit'],
    ['a missing value', '{{used}} of {{limit}}', 'von {{limit}}', 'lacks the value used'],
    ['an unknown tag', 'Here', '<link>Hier</link>', 'has an unknown tag link'],
    ['a missing tag', '<link>Here</link>', 'Hier', 'lacks the tag link'],
    ['a tag without its end', '<link>Here</link>', '<link>Hier', 'lacks the tag link'],
  ])('rejects a translation with %s', (_, english, german, problem) => {
    write('en', { size: english });
    write('de', { size: german });

    expect(run).toThrow(`de.json: browserExtension.list.size ${problem}`);
  });

  it('rejects a plural form without a value, except for the value `count`', () => {
    write('en', { in_one: '1 item in {{list}}', in_other: '{{count}} items in {{list}}' });
    write('de', { in_one: 'Ein Eintrag in {{list}}', in_other: '{{count}} Einträge' });

    expect(run).toThrow('de.json: browserExtension.list.in_other lacks the value list');
  });

  it('rejects a translation of a text that does not exist in English', () => {
    write('en', { size: 'Size' });
    write('de', { sise: 'Größe' });

    expect(run).toThrow('de.json: browserExtension.list.sise is not in en.json');
  });

  it.each([
    ['$HOME$', 'has `$` before and after a word'],
    ['A $HOME$B', 'has `$` before and after a word'],
    ['${{price}}', 'has `$` before a value'],
    ['US${{price}}', 'has `$` before a value'],
    ['$5{{price}}', 'has `$` before a value'],
    ['{{price}}0', 'has a digit after a value'],
    ['{{price}} {{Price}}', 'has values that differ only in case'],
    ['{{a}}{{b}}{{c}}{{d}}{{e}}{{f}}{{g}}{{h}}{{i}}{{j}}', 'has more than 9 values'],
  ])('rejects the text %s, which browsers would misread', (text, problem) => {
    write('en', { text });

    expect(run).toThrow(`en.json: browserExtension.list.text ${problem}`);
  });

  it('keeps `$` where browsers read it correctly', () => {
    write('en', { text: '$ 5, {{a}}{{b}}$5, $$ {{a}}$' });

    run();

    const { text } = extensionTexts('en', join(folder, 'locales'));
    expect(text('list.text', { a: 'A', b: '$B$' })).toBe('$ 5, A$B$$5, $$ A$');
  });

  it.each<[string, Tree, string]>([
    ['a name twice', { a: { b_c: '' }, a_b: { c: '' } }, 'a_b.c has the same generated name as'],
    ['names that differ in case', { a: { b: '', B: '' } }, 'a.B has the same generated name as'],
    ['the reserved name', { language: '' }, 'language has the same generated name as the language'],
    ['an invalid name', { a: { 'b-c': '' } }, 'a.b-c has a character that names cannot contain'],
  ])('rejects keys that generate %s', (_, tree, problem) => {
    writeSection('en', tree);

    expect(run).toThrow(`en.json: browserExtension.${problem}`);
  });
});
