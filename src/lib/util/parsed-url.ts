/**
 * Parses a URL as browsers do. A relative URL needs a base. Returns undefined if the URL is invalid. Use this function
 * instead of `URL.canParse`, which rejects letters such as é and ü after some thousand calls in Node 20.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
