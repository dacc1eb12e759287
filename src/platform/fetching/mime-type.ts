import { MIMEType } from 'whatwg-mimetype';

/** The number of bytes at the beginning of a document from which its type is detected. */
export const SNIFFED_BYTES = 4100;

/** The maximum length of the type and of the subtype of a MIME type (RFC 6838, section 4.2). */
const MAX_NAME = 127;
/** MIME types that servers send if they do not know the type of a document. */
const UNSPECIFIC = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'unknown/unknown',
]);
/** Container formats, such as ZIP. For them, the Content-Type header may be more specific than the first bytes. */
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
/** Matches bytes that a text never contains (WHATWG MIME Sniffing, "binary data byte"). */
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/**
 * Returns the MIME type of a document from its first bytes, or from the Content-Type if the bytes do not show the type.
 */
export async function mimeTypeOf(
  start: Uint8Array,
  contentType: string | undefined,
): Promise<string> {
  const declared = declaredType(contentType);
  const signed = await signature(start);
  if (signed !== undefined) {
    return CONTAINERS.has(signed) && !isUnspecific(declared) ? declared : signed;
  }
  return sniffedText(start, declared);
}

/**
 * Returns the first MIME type of a Content-Type header, in lower case and without parameters. Returns an empty string
 * if the header is invalid.
 */
function declaredType(contentType = ''): string {
  const parsed = MIMEType.parse(contentType.split(',', 1)[0] ?? '');
  const isValid =
    parsed !== null && Math.max(parsed.type.length, parsed.subtype.length) <= MAX_NAME;
  return isValid ? parsed.essence : '';
}

const isUnspecific = (declared: string): boolean =>
  UNSPECIFIC.has(declared) || declared.startsWith('text/');

/**
 * Returns the MIME type for the file signature ("magic number") in the first bytes. Returns
 * undefined for XML, because `markupFormat` distinguishes the XML formats.
 */
async function signature(start: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type/core');
  const found = await fileTypeFromBuffer(start.subarray(0, SNIFFED_BYTES));
  return found === undefined || found.mime.endsWith('xml') ? undefined : found.mime;
}

function sniffedText(start: Uint8Array, declared: string): string {
  const text = Buffer.from(start.subarray(0, SNIFFED_BYTES)).toString('latin1');
  const isUnspecified = UNSPECIFIC.has(declared);
  const format =
    declared === 'text/plain' ? undefined : markupFormat(withoutProlog(text), declared);
  return format ?? (isUnspecified ? textOrBytes(text) : declared);
}

/**
 * Returns the MIME type for the root element of a document. Detects HTML only if the server did not declare a specific
 * type.
 */
function markupFormat(root: string, declared: string): string | undefined {
  const format = FORMATS.find(([pattern]) => pattern.test(root))?.[1];
  const isUnspecified = UNSPECIFIC.has(declared) || XML_TYPE.test(declared);
  return format ?? (isUnspecified && HTML_START.test(root) ? 'text/html' : undefined);
}

const textOrBytes = (beginning: string): string =>
  beginning === '' || (BINARY.test(beginning) && !/^(?:ÿþ|þÿ)/.test(beginning))
    ? 'application/octet-stream'
    : 'text/plain';

/**
 * Removes white space, the XML declaration, comments, and any doctype other than the doctype of HTML from the start of
 * the text. The doctype of HTML stays, because it shows the format.
 */
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

/** The kind of a document. It decides how many bytes are read, and which parser is used. */
export type DocumentKind = 'html' | 'feed' | 'pdf' | 'text' | 'image' | 'video' | 'audio' | 'other';

const BY_TYPE = new Map<string, DocumentKind>([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/rss+xml', 'feed'],
  ['application/atom+xml', 'feed'],
  ['application/rdf+xml', 'feed'],
  ['application/feed+json', 'feed'],
  ['application/pdf', 'pdf'],
  ['application/json', 'text'],
  ['application/xml', 'text'],
  ['application/javascript', 'text'],
]);

const BY_FAMILY = new Map<string, DocumentKind>([
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['text', 'text'],
]);

/** Returns the kind of a document for its MIME type, which must be in lower case and without parameters. */
export function documentKind(mimeType: string): DocumentKind {
  const [family = ''] = mimeType.split('/', 1);
  const isTextual = /\+(?:xml|json)$/.test(mimeType);
  return BY_TYPE.get(mimeType) ?? BY_FAMILY.get(family) ?? (isTextual ? 'text' : 'other');
}
