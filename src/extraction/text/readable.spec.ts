import { readdirSync, readFileSync } from 'node:fs';

import { Readability } from '@mozilla/readability';

import { parseDocument } from '../dom.js';
import { scanMarkup } from '../markup/scan-markup.js';
import { readableElement } from './readable.js';

const FOLDER = 'test/fixtures/page-kinds';

it.each(readdirSync(FOLDER))('finds what the library finds on its own in %s', (name) => {
  const { html } = scanMarkup(readFileSync(`${FOLDER}/${name}`, 'utf8'));
  const library = new Readability(parseDocument(html), {
    keepClasses: true,
    disableJSONLD: true,
    allowedVideoRegex: /youtube/u,
    serializer: (element) => element,
  }).parse();

  const found = readableElement(parseDocument(html));

  expect(found?.element.textContent).toBe(library?.content?.textContent);
  expect(found?.byline).toBe(library?.byline ?? (library ? '' : undefined));
});
