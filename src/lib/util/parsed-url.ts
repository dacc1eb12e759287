/**
 * Parses a URL as browsers do. A relative URL needs a base. Returns undefined if the URL is invalid.
 * Replaces `URL.canParse`. In Node 20, that function rejects letters such as é and ü after some thousand calls.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
