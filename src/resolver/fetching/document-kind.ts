/** What a document is to a reader, and so how much of it is read and by whom. */
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

/** Takes a MIME type in lower case, without parameters. */
export function documentKind(mimeType: string): DocumentKind {
  const [family = ''] = mimeType.split('/', 1);
  const isTextual = /\+(?:xml|json)$/.test(mimeType);
  return BY_TYPE.get(mimeType) ?? BY_FAMILY.get(family) ?? (isTextual ? 'text' : 'other');
}
