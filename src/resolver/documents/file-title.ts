import { plain } from '../plain-text.js';
import { MAX_TITLE } from './document-facts.js';

/** The name of the file at the end of an address: what is left to call a document that names itself nothing. */
export function fileTitle(url: string): string | undefined {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return plain(decoded(name), MAX_TITLE);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
