import { readFileSync } from 'node:fs';

import { aVisitor } from '../support/oauth-api.js';
import { PageVisitor } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

/** Returns the texts of the scripts of a language. */
const textsIn = (language: string): string[] => {
  const { scripts } = JSON.parse(
    readFileSync(`src/platform/i18n/messages/${language}.json`, 'utf8'),
  ) as { scripts: Record<string, string> };
  return Object.values(scripts);
};

const scriptsIn = (html: string): string[] =>
  [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src = '']) => src);

const REFERENCE = /["'`]\.\/([\w.-]+\.js)["'`]/g;

/** Returns the content of scripts and of all scripts to which they refer. */
async function everything(visitor: PageVisitor, paths: readonly string[]): Promise<string> {
  const known = new Map<string, string>();
  const wanted = [...paths];
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (!known.has(path)) {
      const { text } = await visitor.open(path).expect(200);
      known.set(path, text);
      wanted.push(...[...text.matchAll(REFERENCE)].map(([, name = '']) => `/pages/${name}`));
    }
  }
  return [...known.values()].join('\n');
}

/** Returns all scripts of the list, and the service worker, for a browser with this language. */
async function codeFor(visitor: PageVisitor, language: string): Promise<string> {
  const page = await visitor.open('/list').set('Accept-Language', language).expect(200);
  const worker = await visitor.open(`/service-worker.js?language=${language}`).expect(200);
  const name = /pages\/[\w.-]+/.exec(worker.text)?.[0] ?? '';
  return everything(visitor, [...scriptsIn(page.text), `/${name}`]);
}

const literal = (text: string): string => JSON.stringify(text);

describe('the scripts of pages', () => {
  it.each(['en', 'de', 'en-XA'])('contain their texts, and no keys: %s', async (language) => {
    const ada = await aVisitor(app);

    const code = await codeFor(ada, language);

    expect(code).not.toContain('scripts.');
    expect(code).toContain(literal(language));
    expect(code.includes('"Undo"')).toBe(language === 'en');
    if (language !== 'en-XA') {
      const texts = textsIn(language);
      const shown = texts.filter((text) => code.includes(literal(text)));
      expect(shown.length).toBeGreaterThan(texts.length / 2);
    }
  });

  it('group the plural forms of a text', async () => {
    const ada = await aVisitor(app);

    expect(await codeFor(ada, 'de')).toContain(
      '{one:"Satchel speichert diese Seite, sobald das Netzwerk zurück ist:",other:',
    );
  });

  it('never change under a name with a hash, also in another language', async () => {
    const ada = await aVisitor(app);
    const { text } = await ada.open('/list').set('Accept-Language', 'de');
    const [path = ''] = scriptsIn(text);
    expect(path).toMatch(/^\/pages\/offline\.[\da-f]{10}-de\.js$/);

    const { headers } = await new PageVisitor(app).open(path).expect(200);
    const earlier = path.replace(/[\da-f]{10}/, '0123456789');
    const other = await new PageVisitor(app).open(earlier).expect(200);

    expect(headers['cache-control']).toContain('immutable');
    expect(other.headers['cache-control']).toBe('no-cache');
    expect(other.text).toContain('Dies ist die gespeicherte Kopie.');
    // A newer server may know more languages.
    const newer = await ada.open(path.replace('-de.', '-sv.')).expect(200);
    expect(newer.text).toContain('This is the stored copy.');
    for (const unknown of ['..', 's_v']) {
      await ada.open(path.replace('-de.', `-${unknown}.`)).expect(404);
    }
  });

  it('share style sheets and icons between languages', async () => {
    const ada = await aVisitor(app);
    const [english, german] = await Promise.all(
      ['en', 'de'].map((language) => ada.open('/list').set('Accept-Language', language)),
    );
    const sheets = (page: typeof english): string[] =>
      page?.text.match(/[\w./-]+\.(?:css|svg)/g) ?? [];

    expect(sheets(german)).toEqual(sheets(english));
  });
});
