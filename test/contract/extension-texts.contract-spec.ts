import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
    expect(text('problem.serverError', { server: '$2', reason: '$$' })).toBe(
      '$2 returned an error: $$',
    );
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
