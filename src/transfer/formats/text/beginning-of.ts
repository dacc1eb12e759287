import type { Source } from '../source.js';
import { decodedText } from './decode-text.js';

/** How the text of a source begins; what comes after is not read. */
export async function beginningOf(source: Source, length: number): Promise<string> {
  let text = '';
  for await (const chunk of decodedText(source.bytes())) {
    text += chunk;
    if (text.length >= length) {
      break;
    }
  }
  return text.slice(0, length);
}
