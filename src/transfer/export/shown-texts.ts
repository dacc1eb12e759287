import { escapeUTF8 } from 'entities';

import { shownTitle } from '../../reading-list/list/item-keys.js';
import type { ExportedItem } from './exported-item.js';

/** What other services show of an item: its title, the URL while there is none. */
export const titleOf = (item: ExportedItem): string => shownTitle({ ...item, givenUrl: item.url });

/** As the value of an attribute. */
export const attribute = (text: string): string => escapeUTF8(text);

/** As the text of an element; HTML takes a line end for a space, and readers that go by lines do not. */
export const elementText = (text: string): string => escapeUTF8(text.replaceAll(/\s+/g, ' '));
