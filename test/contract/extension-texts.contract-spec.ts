import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import ts from 'typescript';

import { extensionTexts } from '../support/extension-texts.js';

const FOLDER = 'extension';
/** The limits of Chrome, in characters. */
const MOST_IN_NAME = 75;
const MOST_IN_DESCRIPTION = 132;
const SCRIPT = 'scripts/extension-locales.mjs';

interface Tree {
  readonly [name: string]: string | Tree;
}

const { browserExtension: section } = JSON.parse(
  readFileSync('src/platform/i18n/messages/en.json', 'utf8'),
) as { readonly browserExtension: Tree };

/** Returns the texts of a tree with their keys. */
const textsIn = (tree: Tree, prefix = ''): (readonly [key: string, text: string])[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${name}`, value] as const]
      : textsIn(value, `${prefix}${name}.`),
  );

const filesWith = (end: string): string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(FOLDER, name));

const withoutPlural = (key: string): string => key.replace(/_(?:one|other)$/, '');

/** The names of the values of each text. The plural forms of a text share them. */
const VALUES = new Map<string, Set<string>>();
for (const [key, text] of textsIn(section)) {
  const base = withoutPlural(key);
  const found = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
  const names = [...(VALUES.get(base) ?? []), ...found, ...(base === key ? [] : ['count'])];
  VALUES.set(base, new Set(names));
}

/** Matches a string in a script that is a key, such as `popup.saved`. */
const KEY = new RegExp(String.raw`^(?:${Object.keys(section).join('|')})\.\w+$`);

/** Matches a text for people: two words, or one word that starts with a capital letter. */
const TEXT = /\p{L}{2,}[.,:;…!?]?\s+\p{L}|^\s*\p{Lu}\p{Ll}+[.…!?]?\s*$/u;

/** The HTML attributes that people see or hear. */
const TEXT_ATTRIBUTES = ['alt', 'aria-description', 'aria-label', 'placeholder', 'title', 'value'];

/** Returns the literal texts and the keys of an HTML file. */
function readHtml(html: string): { readonly literals: string[]; readonly keys: string[] } {
  const literals: string[] = [];
  const keys: string[] = [];
  const parser = new Parser({
    ontext: (text) => void literals.push(text.trim()),
    onopentag: (_, attributes) => {
      literals.push(...TEXT_ATTRIBUTES.map((name) => attributes[name] ?? ''));
      keys.push(
        ...Object.entries(attributes)
          .filter(([name]) => /^data-i18n(?:-|$)/.test(name))
          .map(([, key]) => key),
      );
    },
  });
  parser.end(html);
  return { literals: literals.filter((text) => text !== ''), keys };
}

/** Returns a node of a script and all nodes inside it. Skips errors for developers. */
function nodesIn(node: ts.Node): ts.Node[] {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Error') {
    return [];
  }
  const inside: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    inside.push(...nodesIn(child));
  });
  return [node, ...inside];
}

const nodesOf = (file: string): ts.Node[] =>
  nodesIn(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true));

/** Returns the text of a string or of a template with `x` for each value. */
function textOf(node: ts.Node): string {
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x');
  }
  return ts.isStringLiteralLike(node) ? node.text : '';
}

/** Returns the names of the values that a script passes to `text` together with a key. */
function valuesFor(key: ts.Node): string[] {
  const call = key.parent;
  const values =
    ts.isCallExpression(call) && call.arguments[0] === key ? call.arguments[1] : undefined;
  return values !== undefined && ts.isObjectLiteralExpression(values)
    ? values.properties.map(({ name }) => name?.getText() ?? '')
    : [];
}

/** The uses of keys in scripts, with the names of the values. */
const usesInScripts = (): { readonly key: string; readonly values: string[] }[] =>
  filesWith('.js')
    .flatMap(nodesOf)
    .filter((node) => KEY.test(textOf(node)))
    .map((node) => ({ key: textOf(node), values: valuesFor(node) }));

const keysInPages = (): string[] =>
  filesWith('.html').flatMap((file) => readHtml(readFileSync(file, 'utf8')).keys);

const namesInManifest = (): string[] =>
  [...readFileSync(join(FOLDER, 'manifest.json'), 'utf8').matchAll(/__MSG_(\w+)__/g)].map(
    ([, name = '']) => name,
  );

describe('the texts of the browser extension', () => {
  it('are up to date in _locales', () => {
    expect(() => execFileSync(process.execPath, [SCRIPT, '--check'])).not.toThrow();
  });

  it('are not in its pages', () => {
    const literals = filesWith('.html').flatMap(
      (file) => readHtml(readFileSync(file, 'utf8')).literals,
    );

    expect(literals).toEqual([]);
  });

  it('are not in its scripts', () => {
    const literals = filesWith('.js')
      .flatMap(nodesOf)
      .map(textOf)
      .filter((text) => TEXT.test(text));

    expect(literals).toEqual([]);
  });

  it('are not in its manifest', () => {
    const { name, description, action, commands } = JSON.parse(
      readFileSync(join(FOLDER, 'manifest.json'), 'utf8'),
    ) as {
      readonly name: string;
      readonly description: string;
      readonly action: { readonly default_title: string };
      readonly commands: Readonly<Record<string, { readonly description?: string }>>;
    };
    const descriptions = Object.values(commands).flatMap((one) => one.description ?? []);

    for (const text of [name, description, action.default_title, ...descriptions]) {
      expect(text).toMatch(/^__MSG_\w+__$/);
    }
  });

  it('have all keys that the extension uses, and no others', () => {
    const inManifest = namesInManifest().map((name) => name.replaceAll('_', '.'));
    const used = [...usesInScripts().map(({ key }) => key), ...keysInPages(), ...inManifest];

    expect([...new Set(used)].toSorted()).toEqual([...VALUES.keys()].toSorted());
  });

  it('receive exactly their values', () => {
    const uses = [...usesInScripts(), ...keysInPages().map((key) => ({ key, values: [] }))];

    const wrong = uses.filter(
      ({ key, values }) =>
        values.toSorted().join() !== [...(VALUES.get(key) ?? [])].toSorted().join(),
    );

    expect(wrong).toEqual([]);
  });

  it.each(readdirSync(join(FOLDER, '_locales')))('fit into the manifest in %s', (folder) => {
    const { manifest_name: name, manifest_description: description } = JSON.parse(
      readFileSync(join(FOLDER, '_locales', folder, 'messages.json'), 'utf8'),
    ) as Readonly<Record<string, { readonly message: string } | undefined>>;

    // A translation without these texts uses the English texts.
    expect(name?.message.length ?? 0).toBeLessThanOrEqual(MOST_IN_NAME);
    expect(description?.message.length ?? 0).toBeLessThanOrEqual(MOST_IN_DESCRIPTION);
  });
});

describe('extension/lib/texts.js', () => {
  it('returns a text with its values', () => {
    const { text } = extensionTexts();

    expect(text('popup.saved')).toBe('Saved');
    expect(text('settings.connected', { username: 'ada', server: 'https://a.example' })).toBe(
      'Connected to https://a.example as ada.',
    );
    expect(text('problem.serverError', { server: '$2', reason: '$$' })).toBe('$2 says: $$');
  });

  it('selects the plural form by the value `count`', () => {
    const { text } = extensionTexts();

    expect(text('problem.busyForMinutes', { server: 'A', count: 1 })).toBe(
      'A is busy. Try again in 1 minute.',
    );
    expect(text('problem.busyForMinutes', { server: 'A', count: 2 })).toBe(
      'A is busy. Try again in 2 minutes.',
    );
  });

  it.each(['popup.html', 'options.html'])('fills all elements of %s', (file) => {
    const { document } = parseHTML(readFileSync(join(FOLDER, file), 'utf8'));
    Object.assign(globalThis, { document });

    extensionTexts().fillTexts();

    const filled = [
      document.title,
      ...[...document.body.querySelectorAll('[data-i18n]')].map((one) => one.textContent),
      ...[...document.body.querySelectorAll('[data-i18n-aria-label]')].map((one) =>
        one.getAttribute('aria-label'),
      ),
    ];
    expect(filled).toHaveLength(readHtml(readFileSync(join(FOLDER, file), 'utf8')).keys.length);
    expect(filled.filter((text) => text === null || text.trim() === '')).toEqual([]);
  });

  it('puts the link to the account page into its sentence', () => {
    const { document } = parseHTML(readFileSync(join(FOLDER, 'options.html'), 'utf8'));
    Object.assign(globalThis, { document });

    extensionTexts().fillTexts();

    const link = document.body.querySelector('#account');
    expect(link?.textContent).toBe('account page');
    expect(link?.parentElement?.textContent).toBe(
      'Deletes the access token from this browser. To revoke the token, open your account page.',
    );
  });
});

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
