import { fileTypeFromBuffer } from 'file-type/core';

/** As many of the first bytes as are looked at. */
export const SNIFFED_BYTES = 4100;

const MEDIA_TYPE = /^\s*([\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127})\s*(?:;|,|$)/;
/** Said of anything by servers that do not know. */
const SAYS_NOTHING = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'unknown/unknown',
]);
/** Formats that hold others, of which the header may know more than the first bytes. */
const CONTAINERS = new Set([
  'application/zip',
  'application/x-cfb',
  'application/gzip',
  'application/ogg',
]);
const XML_TYPE = /^(?:text|application)\/xml$/;

const HTML_START =
  /^(?:<!doctype html|<(?:html|head|body|title|meta|script|style|link|div|article|main|h1|p|table|br|iframe|a)[\s/>])/i;
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^<rss[\s>]/i, 'application/rss+xml'],
  [/^<(?:atom:)?feed[\s>]/i, 'application/atom+xml'],
  [/^<rdf:RDF[\s>]/i, 'application/rdf+xml'],
  [/^<svg[\s>]/i, 'image/svg+xml'],
  [/^\{\s*"version"\s*:\s*"https:(?:\\?\/){2}jsonfeed\.org/, 'application/feed+json'],
];
/** Bytes that no text has (WHATWG MIME Sniffing, binary data byte). */
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** What a document is, by its first bytes where they tell, else by what its server says. */
export async function mimeTypeOf(
  start: Uint8Array,
  contentType: string | undefined,
): Promise<string> {
  const said = mediaType(contentType);
  const signed = await signature(start);
  if (signed !== undefined) {
    return CONTAINERS.has(signed) && !isVague(said) ? said : signed;
  }
  return sniffedText(start, said);
}

/** The type of a Content-Type in lower case, without parameters; empty when it is none. */
export const mediaType = (contentType: string | undefined): string =>
  MEDIA_TYPE.exec(contentType ?? '')?.[1]?.toLowerCase() ?? '';

const isVague = (said: string): boolean => SAYS_NOTHING.has(said) || said.startsWith('text/');

/** Markup is told below, since many formats are written in it. */
async function signature(start: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(start.subarray(0, SNIFFED_BYTES));
  return found === undefined || found.mime.endsWith('xml') ? undefined : found.mime;
}

function sniffedText(start: Uint8Array, said: string): string {
  const text = Buffer.from(start.subarray(0, SNIFFED_BYTES)).toString('latin1');
  const isUnclear = SAYS_NOTHING.has(said);
  const format = said === 'text/plain' ? undefined : markupFormat(withoutProlog(text), said);
  return format ?? (isUnclear ? textOrBytes(text) : said);
}

/** HTML is looked for only where nothing better is said. */
function markupFormat(root: string, said: string): string | undefined {
  const format = FORMATS.find(([pattern]) => pattern.test(root))?.[1];
  const isUnclear = SAYS_NOTHING.has(said) || XML_TYPE.test(said);
  return format ?? (isUnclear && HTML_START.test(root) ? 'text/html' : undefined);
}

const textOrBytes = (beginning: string): string =>
  beginning === '' || (BINARY.test(beginning) && !/^(?:ÿþ|þÿ)/.test(beginning))
    ? 'application/octet-stream'
    : 'text/plain';

/** What follows white space, the XML declaration, comments and a doctype that is not HTML's. */
function withoutProlog(text: string): string {
  let rest = text.replace(/^ï»¿/, '').trimStart();
  for (;;) {
    const end = endOfProlog(rest);
    if (end === 0) {
      return rest;
    }
    rest = rest.slice(end).trimStart();
  }
}

function endOfProlog(text: string): number {
  if (text.startsWith('<!--')) {
    return endOf(text, '-->');
  }
  if (text.startsWith('<?')) {
    return endOf(text, '?>');
  }
  return /^<!doctype (?!html)/i.test(text) ? endOf(text, '>') : 0;
}

function endOf(text: string, mark: string): number {
  const start = text.indexOf(mark);
  return start === -1 ? 0 : start + mark.length;
}
