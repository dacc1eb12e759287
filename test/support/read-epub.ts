import { buffer } from 'node:stream/consumers';

import { type Document, DOMParser, type Element } from '@xmldom/xmldom';
import type { Response } from 'supertest';
import { fromBufferPromise } from 'yauzl';

/** XML 1.0 characters (section 2.2). The parser does not check them. */
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const FOLDER = 'book/';

export interface ReadBook {
  readonly title: string;
  readonly identifier: string;
  readonly language: string;
  readonly creators: readonly string[];
  readonly subjects: readonly string[];
  readonly source: string | undefined;
  /** Chapters in reading order, without the table of contents. */
  readonly chapters: readonly { readonly href: string; readonly document: Document }[];
  /** Pictures, keyed by path. */
  readonly pictures: Readonly<Record<string, Buffer>>;
  readonly cover: string | undefined;
  /** Titles in the table of contents. */
  readonly contents: readonly string[];
}

/**
 * Opens a book as an e-reader does.
 * @throws Error if the book breaks one of the checked rules of EPUB 3.3
 */
export async function readEpub(archive: Buffer): Promise<ReadBook> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    if (files.size === 0) {
      const isPlain = entry.compressionMethod === 0 && entry.extraFieldLength === 0;
      must(entry.fileName === 'mimetype' && isPlain, 'the first file is not a plain mimetype');
    }
    must(!files.has(entry.fileName), `two files are called ${entry.fileName}`);
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  must(files.get('mimetype')?.toString() === 'application/epub+zip', 'the mimetype is another one');
  const book = packageOf(parsed(textOf(files, 'META-INF/container.xml')), files);
  return book;
}

/** Downloads a book again until it has `count` pictures. A slowly fetched picture is missing from earlier downloads. */
export async function bookWithPictures(
  count: number,
  download: () => Promise<Response>,
): Promise<Response> {
  const response = await download();
  const { pictures } = await readEpub(response.body as Buffer);
  return Object.keys(pictures).length < count ? bookWithPictures(count, download) : response;
}

function packageOf(container: Document, files: ReadonlyMap<string, Buffer>): ReadBook {
  const [root] = all(container, 'rootfile');
  const packed = parsed(textOf(files, root?.getAttribute('full-path') ?? ''));
  const items = all(packed, 'item').map((item) => ({
    id: item.getAttribute('id') ?? '',
    href: item.getAttribute('href') ?? '',
    type: item.getAttribute('media-type') ?? '',
    properties: item.getAttribute('properties') ?? '',
  }));
  const listed = new Set(items.map(({ href }) => `${FOLDER}${href}`));
  const unlisted = [...files.keys()].filter((path) => path.startsWith(FOLDER) && !listed.has(path));
  must(unlisted.join() === `${FOLDER}package.opf`, `not in the manifest: ${unlisted.join()}`);
  for (const path of listed) {
    must(files.has(path), `${path} is not there`);
  }
  const spine = all(packed, 'itemref').map((one) => one.getAttribute('idref'));
  const read = items.filter(({ type }) => type === 'application/xhtml+xml');
  const documents = read.map((item) => ({ ...item, document: chapterOf(files, item.href) }));
  const nav = documents.find(({ properties }) => properties === 'nav');
  const ncx = parsed(textOf(files, `${FOLDER}toc.ncx`));
  must(nav !== undefined && all(ncx, 'navPoint').length > 0, 'there are no contents');
  const pictures = items.filter(({ type }) => type.startsWith('image/'));
  return {
    title: one(packed, 'title'),
    identifier: one(packed, 'identifier'),
    language: one(packed, 'language'),
    creators: all(packed, 'creator').map((node) => node.textContent ?? ''),
    subjects: all(packed, 'subject').map((node) => node.textContent ?? ''),
    source: all(packed, 'source')[0]?.textContent ?? undefined,
    chapters: spine.flatMap((id) =>
      documents.filter((item) => item.id === id && item.properties !== 'nav'),
    ),
    pictures: Object.fromEntries(
      pictures.map(({ href }) => [href, files.get(`${FOLDER}${href}`)!] as const),
    ),
    cover: pictures.find(({ properties }) => properties === 'cover-image')?.href,
    contents: all(nav!.document, 'a').map((link) => link.textContent ?? ''),
  };
}

/**
 * Parses a chapter. Checks that its pictures are in the book, that it loads no other file, that it contains nothing
 * executable, and that its ids are unique.
 */
function chapterOf(files: ReadonlyMap<string, Buffer>, href: string): Document {
  const document = parsed(textOf(files, `${FOLDER}${href}`));
  const ids = new Set<string>();
  for (const element of all(document, '*')) {
    const name = element.localName ?? '';
    must(!/^(?:script|iframe|object|embed|form|input|video|audio|svg|base)$/.test(name), name);
    for (const attribute of Array.from(element.attributes)) {
      must(!/^on|^style$/i.test(attribute.name), `${name} has ${attribute.name}`);
    }
    const src = element.getAttribute('src');
    must(src === null || files.has(`${FOLDER}${src}`), `${name} shows ${src ?? ''}`);
    const link = element.getAttribute('href') ?? '#';
    must(/^(?:https?:|mailto:|[\w-]+\.(?:xhtml|css)$|#$)/.test(link), `${name} leads to ${link}`);
    const id = element.getAttribute('id');
    must(id === null || !ids.has(id), `the id ${id ?? ''} is there twice`);
    ids.add(id ?? '');
  }
  return document;
}

function parsed(text: string): Document {
  must(ALLOWED.test(text), 'there are characters that XML does not allow');
  const onError = (level: string, message: string): void => {
    must(level === 'warning', `${level}: ${message}`);
  };
  return new DOMParser({ onError }).parseFromString(text, 'text/xml');
}

function must(holds: boolean, what: string): void {
  if (!holds) {
    throw new Error(what);
  }
}

const textOf = (files: ReadonlyMap<string, Buffer>, path: string): string => {
  must(files.has(path), `${path} is not there`);
  return files.get(path)!.toString();
};

const all = (node: Document, name: string): Element[] =>
  Array.from(node.getElementsByTagNameNS('*', name));

const one = (node: Document, name: string): string => all(node, name)[0]?.textContent ?? '';
