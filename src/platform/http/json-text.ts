import { refuseHostileBytes, refuseHostileText } from './text-gate.js';

/**
 * Parses JSON text in a parameter, with the limits of a JSON body. Returns undefined if the text is not JSON.
 *
 * @throws MalformedBodyError, TooManyError if the text exceeds a limit
 */
export function jsonIn(text: string): unknown {
  refuseHostileBytes(Buffer.from(text));
  const value = parsed(text);
  refuseHostileText(value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
