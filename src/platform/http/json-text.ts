import { refuseHostileBytes, refuseHostileText } from './text-gate.js';

/**
 * The value of a JSON text that came within a parameter, and is judged as a body is; undefined for text that is no JSON.
 * Throws MalformedBodyError and TooManyError.
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
