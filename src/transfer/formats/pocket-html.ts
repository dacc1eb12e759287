import type { ItemToImport } from '../item-to-import.js';
import { htmlFormat, type HtmlLink, type Surroundings } from './html/html-format.js';
import { itemFrom, type NoItem } from './values/item-from.js';
import { unixSeconds } from './values/seconds.js';

const STATUSES = new Map<string, 0 | 1>([
  ['unread', 0],
  ['read archive', 1],
  ['archive', 1],
]);
const HEADINGS = /<h1>\s*(?:unread|read archive)\s*<\/h1>/i;
const TITLE = /<title>\s*pocket export\s*<\/title>/i;
const MAX_HEADING = 100;

/** `ril_export.html`: links under the headings Unread and Read Archive. */
export const pocketHtml = htmlFormat({
  name: 'pocket-html',
  matches: (head) => head.isMarkup() && (TITLE.test(head.text) || HEADINGS.test(head.text)),
  surroundings: () => new Headings(),
});

class Headings implements Surroundings {
  #heading = '';
  #isOpen = false;

  onOpen(name: string): void {
    if (name === 'h1') {
      this.#isOpen = true;
      this.#heading = '';
    }
  }

  onText(text: string): void {
    if (this.#isOpen && this.#heading.length < MAX_HEADING) {
      this.#heading += text;
    }
  }

  onClose(name: string): void {
    this.#isOpen &&= name !== 'h1';
  }

  itemOf({ attributes, text }: HtmlLink): ItemToImport | NoItem {
    return itemFrom({
      url: attributes['href'],
      title: text,
      tags: (attributes['tags'] ?? '').split(','),
      status: STATUSES.get(this.#heading.trim().toLowerCase()),
      timeAdded: unixSeconds(attributes['time_added'] ?? ''),
    });
  }
}
