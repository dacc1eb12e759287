import { PageAssets } from './page-assets.js';

const assets = (sources: Readonly<Record<string, string>>): PageAssets =>
  new PageAssets(new Map(Object.entries(sources).map(([name, text]) => [name, Buffer.from(text)])));

const PAGE = {
  'list.js': `import{t}from"./text.js";import { a } from './keys.js';`,
  'text.js': `export { language } from './messages.js'; // './unknown.js'`,
  'messages.js': `export const language = 'en';`,
  'keys.js': 'export const a = 1;',
  'style.css': `@font-face { src: url(./face.woff2), url("./face.woff2") }`,
  'face.woff2': './keys.js',
  'list.css': `@import './style.css';\n@import './tags.css';`,
  'tags.css': '.tag { color: red }',
};

describe('the assets of pages', () => {
  it('refer to each other by hashed names', () => {
    const all = assets(PAGE);

    expect(all.get('list.js').bytes.toString()).toBe(
      `import{t}from"./${all.get('text.js').hashedName}";import { a } from './${all.get('keys.js').hashedName}';`,
    );
    expect(all.get('text.js').bytes.toString()).toContain(`'./unknown.js'`);
    const face = all.get('face.woff2').hashedName;
    expect(all.get('style.css').bytes.toString()).toContain(`url(./${face}), url("./${face}")`);
    expect(all.get('face.woff2').bytes.toString()).toBe('./keys.js');
    expect(all.get('list.css').bytes.toString()).toBe(
      `@import './${all.get('style.css').hashedName}';\n@import './${all.get('tags.css').hashedName}';`,
    );
  });

  it('have new names if they or the assets that they use change', () => {
    const [before, after] = [
      assets(PAGE),
      assets({ ...PAGE, 'messages.js': `export const language = 'fr';` }),
    ];

    const changed = Object.keys(PAGE).filter(
      (name) => before.get(name).hashedName !== after.get(name).hashedName,
    );

    expect(changed).toEqual(['list.js', 'text.js', 'messages.js']);
  });

  it('are found by their name, and by their name with any hash', () => {
    const all = assets(PAGE);
    const keys = all.get('keys.js');

    const names = ['keys.js', keys.hashedName, 'keys.0123456789.js', 'keys.012345678.js', 'x.js'];

    expect(names.map((name) => all.find(name) === keys)).toEqual([true, true, true, false, false]);
  });

  it('must not use each other in a circle', () => {
    expect(() => assets({ 'a.js': `import './b.js'`, 'b.js': `import './a.js'` })).toThrow(
      'a.js, b.js, a.js',
    );
  });

  it('may name the types of each other in docstrings', () => {
    const typed = assets({
      'a.js': `import './b.js'`,
      'b.js': `/**\n * @param {import('./a.js').A} a\n */\nconst b = '*/*';`,
    });

    expect(typed.get('b.js').bytes.toString().trim()).toBe(`const b = '*/*';`);
  });

  it('contain the texts of a language, and share everything else with English', () => {
    const sources = new Map(
      Object.entries({ ...PAGE, 'say.js': `t('scripts.hi',{n:1});t("scripts.items")` }).map(
        ([name, text]) => [name, Buffer.from(text)],
      ),
    );
    const english = new PageAssets(
      sources,
      new Map<string, string | Record<string, string>>([
        ['scripts.hi', 'Say "hi"'],
        ['scripts.items', { one: 'item', other: 'items' }],
      ]),
    );
    const german = new PageAssets(
      sources,
      new Map([
        ['scripts.hi', 'Hallo'],
        ['scripts.items', '$& Einträge'],
        ['scripts.language', 'de'],
      ]),
      english,
    );

    expect(english.get('say.js').bytes.toString()).toBe(
      `t("Say \\"hi\\"",{n:1});t({one:"item",other:"items"})`,
    );
    expect(german.get('say.js').bytes.toString()).toBe(`t("Hallo",{n:1});t("$& Einträge")`);
    expect(german.get('say.js').hashedName).toMatch(/^say\.[\da-f]{10}-de\.js$/);
    expect(german.find(german.get('say.js').hashedName)).toBe(german.get('say.js'));
    for (const name of ['keys.js', 'style.css', 'face.woff2']) {
      expect(german.get(name)).toBe(english.get(name));
    }
  });

  it('must have all texts of their scripts', () => {
    expect(() => assets({ 'a.js': `t('scripts.missing')` })).toThrow('scripts.missing');
  });

  it('throw an error for the name of an asset that does not exist', () => {
    expect(() => assets(PAGE).get('lits.js')).toThrow('lits.js does not exist');
  });
});
