// Reads ground truth from pages.jsonl and html/<id>.html, as described in its README.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sets contain other kinds of pages too. The goals only apply to these groups. */
const GROUPS = {
  sh: (page) => page.set === 'sh',
  wcxb: (page) => page.set === 'wcxb' && page.page_type === 'article',
  'wcxb other': (page) => page.set === 'wcxb' && page.page_type !== 'article',
  traf: (page) => page.set === 'traf',
  htmldate: (page) => page.set === 'htmldate',
  moz: (page) => page.set === 'moz',
  post: (page) => page.set === 'post',
};

export function readTruth(directory, { only = '', every = 1 } = {}) {
  return readFileSync(join(directory, 'pages.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((page) => ({ ...page, group: Object.keys(GROUPS).find((name) => GROUPS[name](page)) }))
    .filter((page) => only === '' || page.group.startsWith(only))
    .filter((_page, index) => index % every === 0)
    .map((page) => ({ ...page, path: join(directory, page.file) }));
}

/** Decodes the markup by its byte order mark, as UTF-8 if valid, or else as the page declares. */
export function htmlOf(page) {
  const bytes = readFileSync(page.path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const label = /charset\s*=\s*["']?\s*([\w-]+)/iu.exec(bytes.toString('latin1', 0, 16_384))?.[1];
    return decoderOf(label).decode(bytes);
  }
}

function decoderOf(label = 'windows-1252') {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('windows-1252');
  }
}
