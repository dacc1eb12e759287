import { Get, NotFoundException, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { TAG_COLORS, type TagColorName, tagColorOf } from '../../../lib/util/tag-color.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import type { StoredTag } from '../../../reading-list/list/list-state.js';
import { TagRepository } from '../../../reading-list/list/tag.repository.js';
import { MAX_TAG_LENGTH, parseTagName, type TagName } from '../../../reading-list/list/tag-name.js';
import { SendService } from '../../../reading-list/send/send.service.js';
import { TagColors } from '../../../reading-list/tag-colors/tag-colors.service.js';
import type { FormError } from '../../forms.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import type { ReaderPage } from '../reader-page.js';

interface TagModel extends ReaderPage {
  readonly tag: string;
  /** The number of items with the tag. */
  readonly count: number;
  /** The value of the field with the new name. */
  readonly name: string;
  readonly errors: readonly FormError[];
  readonly color: TagColorName | undefined;
  readonly colors: readonly TagColorName[];
  /** The existing tag that would contain the items of both tags. Undefined if no other tag has the new name. */
  readonly merge:
    { readonly id: string; readonly name: string; readonly count: number } | undefined;
}

const tagPage = new Template<TagModel>('reader/tags/tag', { kind: 'reader' });

const ALL_TAGS = '/list/tags/all';
const RENAMED = redirect(`${ALL_TAGS}?done=tag-renamed`);

/** Shows the page on which a user renames, merges and deletes a tag. */
@Page('list/tags/edit')
export class TagController {
  constructor(
    private readonly tags: TagRepository,
    private readonly sending: SendService,
    private readonly colors: TagColors,
  ) {}

  @Get()
  async show(@CurrentUser() { id: userId }: User, @Query() query: object): Promise<ShownPage> {
    return this.page(userId, await this.tagNamed(userId, textOf(query, 'tag')));
  }

  /** Sets the color of a tag. The value `none` removes it. */
  @Post('color')
  async color(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const name = textOf(body, 'color');
    const color = tagColorOf(name);
    if (color === undefined && name !== 'none') {
      throw new ValidationFailedError([
        fieldProblem('color', 'must be the name of a color', message('highlights.rules.color')),
      ]);
    }
    const { id } = await this.tagNamed(userId, textOf(body, 'tag'));
    await this.colors.set(userId, id, color);
    return redirect(`${ALL_TAGS}?done=tag-colored`);
  }

  @Post('delete')
  async delete(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const { name: tag } = await this.tagNamed(userId, textOf(body, 'tag'));
    await this.send(userId, { action: 'tag_delete', tag });
    return redirect(`${ALL_TAGS}?done=tag-deleted`);
  }

  /** Renames a tag. If another tag has the new name, asks first, because the items cannot be separated again. */
  @Post()
  async rename(
    @CurrentUser() { id: userId }: User,
    @Req() { body }: Request,
  ): Promise<ShownPage | Answer> {
    const name = textOf(body, 'name');
    const newTag = parseTagName(name);
    const tag = await this.stored(userId, parseTagName(textOf(body, 'tag')));
    if (tag === undefined) {
      return this.renamedBefore(userId, newTag);
    }
    if (newTag === undefined) {
      return this.page(userId, tag, { name, errors: [WRONG_NAME] });
    }
    const merge = await this.otherTag(userId, tag, newTag);
    if (merge !== undefined && textOf(body, 'merge') !== merge.id) {
      return this.page(userId, tag, { name, merge });
    }
    await this.send(userId, { action: 'tag_rename', old_tag: tag.name, new_tag: newTag.name });
    return RENAMED;
  }

  private async page(
    userId: string,
    { name: tag, itemCount: count }: StoredTag,
    { name, errors = [], merge }: Refused = { name: tag },
  ): Promise<ShownPage> {
    const color = (await this.colors.of(userId, [tag])).get(tag);
    const model = { section: 'list', tag, count, name, errors, color, colors: TAG_COLORS } as const;
    return tagPage.page(
      {
        ...model,
        merge: merge && { name: merge.name, count: merge.itemCount, id: merge.id },
      },
      { status: errors.length > 0 ? 400 : 200 },
    );
  }

  /**
   * Returns the same response as for the first click, if a user has clicked twice.
   * @throws NotFoundException if there is no tag with the new name either
   */
  private async renamedBefore(userId: string, newTag: TagName | undefined): Promise<Answer> {
    if ((await this.stored(userId, newTag)) === undefined) {
      throw new NotFoundException();
    }
    return RENAMED;
  }

  /** @throws NotFoundException if no item has the tag */
  private async tagNamed(userId: string, name: string): Promise<StoredTag> {
    const tag = await this.stored(userId, parseTagName(name));
    if (tag === undefined) {
      throw new NotFoundException();
    }
    return tag;
  }

  private async otherTag(
    userId: string,
    { id }: StoredTag,
    newTag: TagName,
  ): Promise<StoredTag | undefined> {
    return newTag.id === id ? undefined : await this.stored(userId, newTag);
  }

  private async stored(userId: string, tag: TagName | undefined): Promise<StoredTag | undefined> {
    const found = tag && (await this.tags.load(userId, [tag.id]));
    return found?.find(({ itemCount }) => itemCount > 0);
  }

  /** @throws DomainError if the list refuses the action, for example because the tag is being renamed */
  private async send(userId: string, action: object): Promise<void> {
    const [outcome] = await this.sending.send(userId, [action], false);
    if (outcome?.ok === false) {
      throw outcome.refusal.error;
    }
  }
}

const WRONG_NAME: FormError = {
  field: 'name',
  text: message('editItem.rules.tags', { most: MAX_TAG_LENGTH }),
};

interface Refused {
  readonly name: string;
  readonly errors?: readonly FormError[];
  readonly merge?: StoredTag;
}
