import { Parser } from 'htmlparser2';

/**
 * The number of bytes at the beginning of a page that are searched for `<meta
 * http-equiv="refresh">`.
 */
const READ_BYTES = 65_536;
/**
 * The maximum delay in seconds of a refresh element that counts as a redirect. A page with a longer delay usually
 * reloads itself.
 */
const MAX_DELAY_SECONDS = 5;
/**
 * A page with at least this number of visible characters has content of its own. On such a page, a
 * refresh element in `noscript` is ignored, because it is meant for browsers without scripts.
 */
const NOTICE_CHARACTERS = 300;
const CONTENT = /^(\d+)(?:\.[\d.]*)?[\s;,]+([^\s;,].*)$/s;
const MAX_CONTENT = 4200;
const UNSEEN = new Set(['script', 'style', 'title', 'noscript']);

/**
 * Returns the URL in the refresh element of a page, exactly as the page contains it. Returns undefined if the page has
 * no refresh element that counts as a redirect.
 */
export function metaRefresh(html: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(html.subarray(0, READ_BYTES));
  if (!/http-equiv/i.test(text)) {
    return undefined;
  }
  const found = refreshesIn(text);
  return (
    found.anywhere ?? (found.seenCharacters < NOTICE_CHARACTERS ? found.inNoscript : undefined)
  );
}

interface Refreshes {
  anywhere?: string;
  inNoscript?: string;
  seenCharacters: number;
}

function refreshesIn(text: string): Refreshes {
  const found: Refreshes = { seenCharacters: 0 };
  const within = new Map<string, number>();
  const isWithin = (name: string): boolean => (within.get(name) ?? 0) > 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (UNSEEN.has(name)) {
        within.set(name, (within.get(name) ?? 0) + 1);
      }
      const target = name === 'meta' ? targetOf(attributes) : undefined;
      if (target !== undefined) {
        found[isWithin('noscript') ? 'inNoscript' : 'anywhere'] ??= target;
      }
    },
    onclosetag(name) {
      within.set(name, Math.max((within.get(name) ?? 0) - 1, 0));
    },
    ontext(part) {
      found.seenCharacters += [...UNSEEN].some(isWithin) ? 0 : part.trim().length;
    },
  });
  parser.end(text);
  return found;
}

function targetOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const { 'http-equiv': name = '', content = '' } = attributes;
  const [, delay, target = ''] = CONTENT.exec(content.slice(0, MAX_CONTENT).trim()) ?? [];
  const isRefresh = name.trim().toLowerCase() === 'refresh';
  if (!isRefresh || Number(delay) > MAX_DELAY_SECONDS) {
    return undefined;
  }
  return unquoted(target.replace(/^url\s*=\s*/i, '')) || undefined;
}

function unquoted(text: string): string {
  const quote = text.charAt(0);
  return quote === '"' || quote === "'" ? (text.slice(1).split(quote, 1)[0] ?? '').trim() : text;
}
