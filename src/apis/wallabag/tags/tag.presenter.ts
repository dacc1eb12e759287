import type { Tag } from '../../../reading-list/entities/tag.entity.js';

/** A tag in all answers of the wallabag API. */
export interface TagResponse {
  readonly id: number;
  /** The name of the tag in lower case. */
  readonly label: string;
  /** The slug of the tag. Some clients show the slug without its prefix `t:`. */
  readonly slug: string;
}

export const presentTag = ({ number, name }: Pick<Tag, 'number' | 'name'>): TagResponse => ({
  id: number,
  label: name.toLowerCase(),
  slug: `t:${slugOf(name) || number}`,
});

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
