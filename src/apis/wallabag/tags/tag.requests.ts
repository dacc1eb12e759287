import { type Reader, Unreadable } from '../../../pocket-api/param-readers.js';
import { CustomParam, RequiredParam } from '../../../pocket-api/params.js';
import type { TagName } from '../../../reading-list/list/tag-name.js';
import { splitTags } from '../../../reading-list/list/tag-name.js';
import { readTags } from '../../../reading-list/list-param-readers.js';

/** Reads tag names from an array or from a text. Commas separate names, even within an array element. */
export const readLabels: Reader<readonly TagName[]> = (value) =>
  readTags(
    Array.isArray(value)
      ? value.flatMap((label: unknown): unknown =>
          typeof label === 'string' ? splitTags(label) : label,
        )
      : value,
  );

const readOneTag: Reader<TagName> = (value) => {
  const tags = readLabels(value);
  const [tag, ...others] = tags instanceof Unreadable ? [] : tags;
  return tag === undefined || others.length > 0 ? new Unreadable('must be one tag') : tag;
};

/** The name of one tag in a request. */
export class TagLabelRequest {
  @RequiredParam(readOneTag)
  tag!: TagName;
}

/** The names of tags in a request, separated by commas or in an array. A blank value means no tags. */
export class TagLabelsRequest {
  @CustomParam(readLabels)
  tags?: readonly TagName[];
}
