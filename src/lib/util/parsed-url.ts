/**
 * Parses a URL as browsers do. `base` is necessary for a relative URL. Returns undefined if the URL is invalid. Use
 * this function instead of `URL.canParse`: after some thousand calls in Node 20, `URL.canParse` wrongly rejects URLs
 * with letters such as é.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
