/**
 * Parses a URL as browsers do. `base` is necessary for a relative URL. Returns undefined if the URL is invalid. Use
 * this function instead of `URL.canParse`, which wrongly rejects letters such as é after some thousand calls in Node
 * 20.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
