import { type Reader, Unreadable } from '../../../pocket-api/param-readers.js';
import { CustomParam, RequiredParam } from '../../../pocket-api/params.js';
import type { TagName } from '../../../reading-list/list/tag-name.js';
import { splitTags } from '../../../reading-list/list/tag-name.js';
import { readTags } from '../../../reading-list/list-param-readers.js';

/** Reads labels from an array or from a text with commas. Commas also separate the labels of one array element. */
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

/** The label of a tag. */
export class TagLabelRequest {
  @RequiredParam(readOneTag)
  tag!: TagName;
}

/** The labels of tags, separated by commas or in an array. A blank value means no labels. */
export class TagLabelsRequest {
  @CustomParam(readLabels)
  tags?: readonly TagName[];
}
