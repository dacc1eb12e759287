import { jsonIn } from '../../../platform/http/json-text.js';
import {
  integerReader,
  type Reader,
  textReader,
  Unreadable,
} from '../../../pocket-api/param-readers.js';
import { CustomParam, TextParam } from '../../../pocket-api/params.js';
import type { AnnotationRange } from '../../../reading-list/entities/annotation.entity.js';
import {
  MAX_NOTE,
  MAX_RANGE_PATH,
  MAX_RANGES,
} from '../../../reading-list/list/tracked-annotations.js';

const MAX_QUOTE_LENGTH = 10_000;
const MAX_OFFSET = 2 ** 31 - 1;

const readPath = textReader({ max: MAX_RANGE_PATH });
const readOffset = integerReader({ min: 0, max: MAX_OFFSET });

const NO_RANGES = new Unreadable(
  `must be an array of at most ${MAX_RANGES} objects with start, startOffset, end and endOffset`,
);

/**
 * Reads the positions of an annotation in the article. A request in form format can contain this
 * array as JSON text or as an object with numeric keys.
 */
const readRanges: Reader<readonly AnnotationRange[]> = (value) => {
  const given = typeof value === 'string' ? jsonIn(value) : value;
  const members = typeof given === 'object' && given !== null ? Object.values(given) : undefined;
  if (members === undefined || members.length > MAX_RANGES) {
    return NO_RANGES;
  }
  const ranges = members.map(rangeOf).filter((range) => range !== undefined);
  return ranges.length === members.length ? ranges : NO_RANGES;
};

function rangeOf(value: unknown): AnnotationRange | undefined {
  const fields = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const from = endOf(fields.get('start'), fields.get('startOffset'));
  const to = endOf(fields.get('end'), fields.get('endOffset'));
  return (
    from && to && { start: from.path, startOffset: from.offset, end: to.path, endOffset: to.offset }
  );
}

function endOf(at: unknown, within: unknown): { path: string; offset: number } | undefined {
  const path = readPath(at ?? '');
  const offset = readOffset(within);
  return path instanceof Unreadable || offset instanceof Unreadable ? undefined : { path, offset };
}

/** The note of an annotation. Blank text means that the annotation has no note. */
export class NoteRequest {
  @TextParam({ max: MAX_NOTE })
  text?: string;
}

/** An annotation with its note, its quoted text and its position in the article. */
export class AnnotationRequest {
  @TextParam({ max: MAX_NOTE })
  text?: string;

  @TextParam({ max: MAX_QUOTE_LENGTH })
  quote?: string;

  @CustomParam(readRanges)
  ranges?: readonly AnnotationRange[];
}
