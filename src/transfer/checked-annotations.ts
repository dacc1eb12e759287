import { hash } from 'node:crypto';

import { MAX_PATCH, MAX_QUOTE } from '../reading-list/list/annotation.js';
import type { ImportedAnnotation } from '../reading-list/list/imported-item.js';
import { clean } from './clean-text.js';
import type { AnnotationToImport } from './item-to-import.js';
import { isMoment } from './moment.js';

const ID = /^[\w-]{1,64}$/;
const VERSION = /^\d{1,4}$/;
const USUAL_VERSION = '2';
const ID_LENGTH = 32;

interface Marked {
  readonly itemId: string;
  /** Of annotations that say no time themselves, in unix seconds. */
  readonly createdAt: number;
  readonly now: number;
}

interface CheckedAnnotations {
  readonly annotations: readonly ImportedAnnotation[];
  readonly leftOut: readonly string[];
}

/** Passages that the list can keep, under the same ids whenever they are imported. */
export function checkedAnnotations(
  given: readonly AnnotationToImport[],
  marked: Marked,
): CheckedAnnotations {
  const written = given.filter(({ quote }) => clean(quote).trim() !== '');
  const kept = written.filter(({ quote }) => quote.length <= MAX_QUOTE);
  const tooLong = written.length - kept.length;
  return {
    annotations: kept.map((annotation) => checked(annotation, marked)),
    leftOut: tooLong === 0 ? [] : [`${tooLong} annotations of more than ${MAX_QUOTE} characters`],
  };
}

function checked(given: AnnotationToImport, marked: Marked): ImportedAnnotation {
  const { itemId, createdAt, now } = marked;
  const quote = clean(given.quote);
  const at = isMoment(given.createdAt ?? 0, now) ? Math.trunc(given.createdAt ?? 0) : 0;
  return {
    annotationId: matching(ID, given.annotationId) ?? idOf(`${itemId} ${at} ${quote}`),
    quote,
    patch: patchOf(given),
    version: matching(VERSION, given.version) ?? USUAL_VERSION,
    createdAt: at || createdAt,
  };
}

const matching = (pattern: RegExp, text = ''): string | undefined =>
  pattern.test(text) ? text : undefined;

const patchOf = ({ patch = '' }: AnnotationToImport): string =>
  patch.length > MAX_PATCH ? '' : clean(patch);

const idOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, ID_LENGTH);
