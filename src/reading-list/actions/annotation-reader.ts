import { randomUUID } from 'node:crypto';

import { isAbsent, textReader, Unreadable } from '../../common/http/wire-reader.js';
import { MAX_PATCH, MAX_QUOTE, type NewAnnotation } from '../list/annotation.js';
import { Refusal } from '../list/outcome.js';

const ID = /^[\w-]{1,64}$/;
const VERSION = /^\d{1,4}$/;
const USUAL_VERSION = '2';

const readQuote = textReader({ max: MAX_QUOTE });
const readPatch = textReader({ max: MAX_PATCH });

/** A passage as clients send it; some leave its id to the service. */
export function readAnnotation(value: unknown): NewAnnotation | Refusal {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return Refusal.malformed('Action must have annotation field');
  }
  const members = new Map<string, unknown>(Object.entries(value));
  const annotationId = idOf(members.get('annotation_id'));
  const texts = textsOf(members);
  if (annotationId instanceof Refusal || texts === undefined) {
    return annotationId instanceof Refusal ? annotationId : Refusal.malformed('Invalid annotation');
  }
  return { ...texts, annotationId, version: versionOf(members.get('version')) };
}

const idOf = (value: unknown): string | Refusal =>
  isAbsent(value) ? randomUUID() : readAnnotationId(value);

/** Undefined for what cannot be read, or has no words. */
function textsOf(
  members: ReadonlyMap<string, unknown>,
): Pick<NewAnnotation, 'quote' | 'patch'> | undefined {
  const quote = readQuote(members.get('quote') ?? '');
  const patch = readPatch(members.get('patch') ?? '');
  const isReadable = !(quote instanceof Unreadable || patch instanceof Unreadable);
  return isReadable && !isAbsent(quote) ? { quote, patch } : undefined;
}

export function readAnnotationId(value: unknown): string | Refusal {
  return typeof value === 'string' && ID.test(value)
    ? value
    : Refusal.malformed('Invalid annotation_id', value);
}

const versionOf = (value: unknown): string =>
  (typeof value === 'string' || typeof value === 'number') && VERSION.test(String(value))
    ? String(value)
    : USUAL_VERSION;
