/**
 * Parses a URL as browsers do, optionally relative to a base. Returns undefined if the URL is invalid.
 * Replaces `URL.canParse`, which in Node 20 rejects letters such as é and ü after some thousand calls.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
