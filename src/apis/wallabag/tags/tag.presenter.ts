import type { Tag } from '../../../reading-list/entities/tag.entity.js';

/** A tag in responses of the wallabag API. */
export interface TagResponse {
  readonly id: number;
  /** The name of the tag in lower case. */
  readonly label: string;
  /**
   * The name of the tag in URLs, with the prefix `t:`. Some clients remove this prefix and show the rest to the user.
   */
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
