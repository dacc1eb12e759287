import type { Format } from './format.js';
import type { Head, Sign, Syntax } from './recognition.js';

/** The format of a file, and the reason why the file was recognised as this format. */
export interface Match {
  readonly format: Format;
  /** A clause for the user, such as "it has the columns `url`, `tags`". */
  readonly reason: string;
}

/**
 * Returns the format that best matches a file. The best format is the one that is recognised by the most columns, JSON
 * paths or other marks in the file. If several formats match equally well, returns the first of them.
 */
export function bestMatch(formats: readonly Format[], head: Head): Match | undefined {
  let best: Match | undefined;
  let most = 0;
  for (const format of formats) {
    for (const recognition of format.recognitions) {
      const signs = head.signsOf(format.syntax, recognition) ?? [];
      if (signs.length > most) {
        most = signs.length;
        best = { format, reason: reasonFor(format.syntax, signs) };
      }
    }
  }
  return best;
}

function reasonFor(syntax: Syntax, signs: readonly Sign[]): string {
  const fields = signs.filter((sign) => typeof sign === 'string');
  const marks = signs.filter((sign) => typeof sign !== 'string').map(({ name }) => name);
  const noun = syntax === 'table' ? 'column' : 'key';
  const named = fields.map((field) => `\`${field}\``).join(', ');
  const plural = fields.length === 1 ? '' : 's';
  const parts = fields.length === 0 ? marks : [`the ${noun}${plural} ${named}`, ...marks];
  return `it has ${parts.join(' and ')}`;
}
