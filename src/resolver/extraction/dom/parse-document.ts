import { parseHTML } from 'linkedom';

import type { DomDocument } from './dom.js';

/** The tree of markup that `scanMarkup` made. */
export const parseDocument = (html: string): DomDocument => parseHTML(html).document;
