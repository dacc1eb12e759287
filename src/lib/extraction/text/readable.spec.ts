import { readdirSync, readFileSync } from 'node:fs';

import { Readability } from '@mozilla/readability';

import { processorSeconds } from '../../../../test/support/processor-time.js';
import { attribute, parseDocument } from '../dom.js';
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

it('takes no longer for pictures of long sets of addresses, and leaves them as they are', async () => {
  const set = `${'a'.repeat(8_000)} x`;
  const text =
    '<p>The gulls of the pier are back, and they have brought their young ones.</p>'.repeat(9);
  const html = `<body><article>${text}${`<img src="/gull.jpg" srcset="${set}">`.repeat(12)}</article></body>`;
  let found: ReturnType<typeof readableElement>;

  expect(
    await processorSeconds(() => {
      found = readableElement(parseDocument(`<html>${html}</html>`));
    }),
  ).toBeLessThan(1);
  expect(attribute(found!.element.querySelector('img')!, 'srcset')).toBe(set);
});
