import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { DEFAULT_LANGUAGE, isTextLanguage, type TextLanguage } from '../platform/i18n/languages.js';
import { LANGUAGE_KEY, type ScriptTexts, scriptTextsIn, withTexts } from './script-texts.js';

const FOLDER = fileURLToPath(new URL('./assets', import.meta.url));

const HASH_LENGTH = 10;
/**
 * The hash in the name of an asset, such as `.0a1b2c3d4e` in `style.0a1b2c3d4e.css`. After it, the language of texts that
 * are not English, such as `-de` in `list.0a1b2c3d4e-de.js`.
 */
const HASH = /\.[\da-f]{10}(?:-(?<language>[A-Za-z\d-]+))?(?=\.[a-z\d]+$)/;
/** A reference from one asset to another, such as `'./text.js'` in a script and `url(./font.woff2)` in a style sheet. */
const REFERENCE = /(?<=["'`(]\.\/)[\w.-]+(?=["'`)])/g;
/** Docstrings may name types of modules that import their module. */
const DOCSTRING = /^ *\/\*\*.*?\*\//gms;
const WITH_REFERENCES = new Set(['.js', '.css']);
/** The extensions of assets that compression makes smaller. */
const COMPRESSIBLE = new Set(['.js', '.css', '.svg']);

/** The names of the encodings that assets can have (RFC 9110 section 8.4.1), the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type AssetEncoding = (typeof ENCODINGS)[number];

const COMPRESSORS: Readonly<Record<AssetEncoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** A style sheet, script, picture or font of the web UI. */
export class PageAsset {
  /** A hash of the content. */
  readonly hash: string;
  /** The name with the hash. The content under this name never changes. */
  readonly hashedName: string;
  /** The encodings in which the asset can be sent, the smallest first. */
  readonly encodings: readonly AssetEncoding[];
  private readonly compressed = new Map<AssetEncoding, Promise<Buffer>>();

  constructor(
    name: string,
    readonly bytes: Buffer,
    language = '',
  ) {
    const extension = extname(name);
    this.hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
    this.hashedName = `${name.slice(0, -extension.length)}.${this.hash}${language && `-${language}`}${extension}`;
    this.encodings = COMPRESSIBLE.has(extension) ? ENCODINGS : [];
  }

  /** Compresses the asset when a browser first requests it, and keeps the result. */
  encoded(encoding: AssetEncoding): Promise<Buffer> {
    const bytes = this.compressed.get(encoding) ?? COMPRESSORS[encoding](this.bytes);
    this.compressed.set(encoding, bytes);
    return bytes;
  }
}

/**
 * The assets of the web UI. Assets refer to each other by hashed names, so a change of one asset also changes the names
 * of the assets that use it (docs/decisions/0110).
 */
export class PageAssets {
  private readonly assets = new Map<string, PageAsset>();

  /** @param sources the content of the assets, keyed by file name */
  constructor(
    private readonly sources: ReadonlyMap<string, Buffer>,
    private readonly texts: ScriptTexts = new Map(),
    /** The assets whose scripts have English texts. Undefined if this is their set. */
    private readonly english?: PageAssets,
  ) {
    for (const name of sources.keys()) {
      this.add(name, []);
    }
  }

  /**
   * Returns an asset by its file name.
   * @throws Error if the asset does not exist
   */
  get(name: string): PageAsset {
    const asset = this.assets.get(name);
    if (asset === undefined) {
      throw new Error(`the asset ${name} does not exist in src/web/assets`);
    }
    return asset;
  }

  /** Finds an asset by its file name, by its hashed name, or by a hashed name of another version. */
  find(name: string): PageAsset | undefined {
    return this.assets.get(name) ?? this.assets.get(name.replace(HASH, ''));
  }

  /** @param users the assets that refer to this asset, from the outermost to the innermost */
  private add(name: string, users: readonly string[]): PageAsset {
    const known = this.assets.get(name);
    if (known !== undefined) {
      return known;
    }
    if (users.includes(name)) {
      throw new Error(`assets refer to each other in a circle: ${[...users, name].join(', ')}`);
    }
    const asset = this.made(name, [...users, name]);
    this.assets.set(name, asset);
    return asset;
  }

  /** Uses the English asset if its content is the same. Style sheets, for example, contain no texts. */
  private made(name: string, users: readonly string[]): PageAsset {
    const english = this.english?.get(name);
    if (english !== undefined && extname(name) !== '.js') {
      return english;
    }
    const language = english && this.texts.get(LANGUAGE_KEY);
    const content = this.contentOf(name, users);
    const asset = new PageAsset(name, content, typeof language === 'string' ? language : '');
    return asset.hash === english?.hash ? english : asset;
  }

  private contentOf(name: string, users: readonly string[]): Buffer {
    const source = this.sources.get(name) ?? Buffer.alloc(0);
    if (!WITH_REFERENCES.has(extname(name))) {
      return source;
    }
    const code = source
      .toString()
      .replaceAll(DOCSTRING, '')
      .replaceAll(REFERENCE, (used) =>
        this.sources.has(used) ? this.add(used, users).hashedName : used,
      );
    return Buffer.from(extname(name) === '.js' ? withTexts(code, this.texts) : code);
  }
}

function sourcesIn(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('.d.ts'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

const SOURCES = sourcesIn(FOLDER);
const ENGLISH = new PageAssets(SOURCES, scriptTextsIn(DEFAULT_LANGUAGE));
const sets = new Map<TextLanguage, PageAssets>([[DEFAULT_LANGUAGE, ENGLISH]]);

/** Returns the assets whose scripts show texts in a language. Creates them when a page first uses them. */
export function assetsIn(language: TextLanguage): PageAssets {
  const assets = sets.get(language) ?? new PageAssets(SOURCES, scriptTextsIn(language), ENGLISH);
  sets.set(language, assets);
  return assets;
}

/**
 * Finds an asset by its file name, by its hashed name, or by a hashed name of another version. During an update, the
 * page can be from a newer server with a language that this server does not know. Its scripts then have English texts.
 */
export function findAsset(name: string): PageAsset | undefined {
  const language = HASH.exec(name)?.groups?.['language'] ?? DEFAULT_LANGUAGE;
  return assetsIn(isTextLanguage(language) ? language : DEFAULT_LANGUAGE).find(name);
}
