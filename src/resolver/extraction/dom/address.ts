/** Longer ones are data in disguise. */
const LONGEST = 4096;

/** The absolute form of an address in a page, "" for what is no address of the web. */
export function webAddress(href: string, base: string): string {
  const trimmed = href.trim();
  if (trimmed === '' || !URL.canParse(trimmed, base)) {
    return '';
  }
  const url = new URL(trimmed, base);
  const isOfWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isOfWeb && url.href.length <= LONGEST ? url.href : '';
}

/** A page's own base for its addresses. */
export const baseOf = (base: string, url: string): string => webAddress(base, url) || url;
