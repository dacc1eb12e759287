import { Get, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { isObject, textOf } from '../../../platform/common/request-fields.js';
import type { Answer } from '../../../platform/http/answer.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { Unreadable } from '../../../pocket-api/param-readers.js';
import { ItemEdits } from '../../../reading-list/edits/item-edits.service.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import type { Address } from '../../../reading-list/list/address.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import {
  MAX_TAG_LENGTH,
  parseTagNames,
  splitTags,
  type TagName,
  withPlainCommas,
} from '../../../reading-list/list/tag-name.js';
import { readAddress } from '../../../reading-list/list-param-readers.js';
import { AddressTakenError, ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { type FormError, formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import { type ShownPage, Template } from '../../template.js';
import { itemIdOf } from '../article/article.controller.js';
import { MovedItems } from '../article/moved-items.interceptor.js';
import { doneAnswer } from '../done-notice.js';
import { articlePaths } from '../list/list-origin.js';
import type { ReaderPage } from '../reader-page.js';

interface EditForm {
  readonly title: string;
  readonly tags: string;
  /** The address of the item. */
  readonly url: string;
}

/** The title, the tags and the address on the page that the user has opened. A form with the same values changes nothing. */
interface WasForm {
  readonly wasTitle: string;
  readonly wasTags: string;
  /** The address. */
  readonly was: string;
}

interface EditItemModel extends ReaderPage, EditForm, WasForm {
  readonly errors: readonly FormError[];
  readonly action: string;
  /** The address of the article. */
  readonly back: string;
  /** A link to the item that already has the address in the form. */
  readonly taken: { readonly path: string; readonly label: Message } | undefined;
}

const editItemPage = new Template<EditItemModel>('reader/edit/edit-item', { kind: 'reader' });

/** Shows the page on which a user edits the title, the tags and the address of an item. */
@Page('read/:id/edit')
@UseInterceptors(MovedItems)
export class EditItemController {
  constructor(
    private readonly items: ItemRepository,
    private readonly edits: ItemEdits,
  ) {}

  @Get()
  show(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() { query }: Request,
  ): Promise<ShownPage> {
    return this.page({ userId, itemId: itemIdOf(id), query });
  }

  @Post()
  async save(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const itemId = itemIdOf(id);
    const { query } = request;
    const pathAfter = articlePaths(query, itemId);
    const sent = sentIn(request.body);
    try {
      const edited = await this.edits.edit(userId, itemId, editIn(request.body, sent));
      const done = edited === itemId ? 'edited' : 'address-changed';
      return doneAnswer(request, pathAfter(done).replace(`/read/${itemId}`, `/read/${edited}`));
    } catch (error) {
      if (wantsJson(request)) {
        throw error;
      }
      const refused = { errors: formErrorsOf(error), taken: takenIn(error) };
      return this.page({ userId, itemId, query }, { ...sent, ...refused });
    }
  }

  private async page(
    { userId, itemId, query }: { userId: string; itemId: string; query: unknown },
    refused?: EditForm & Partial<WasForm> & Pick<EditItemModel, 'errors' | 'taken'>,
  ): Promise<ShownPage> {
    const row = (await this.items.rowsById(userId, [itemId])).get(itemId);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    const back = articlePaths(query, itemId)();
    const stored = { title: resolvedTitleOf(row), tags: row.tags.join(', '), url: row.given_url };
    const model = {
      section: 'list',
      action: back.replace(`/read/${itemId}`, `/read/${itemId}/edit`),
      back,
      was: stored.url,
      wasTitle: stored.title,
      wasTags: stored.tags,
      errors: [],
      taken: undefined,
      ...stored,
      ...refused,
    } as const;
    return editItemPage.page(model, { status: refused === undefined ? 200 : 400 });
  }
}

/** Returns the values of a form, so that the page with an error shows them again. */
const sentIn = (body: unknown): EditForm & Partial<WasForm> => ({
  title: textOf(body, 'title'),
  tags: textOf(body, 'tags'),
  url: textOf(body, 'url'),
  ...(hasField(body, 'was') && { was: textOf(body, 'was') }),
  ...(hasField(body, 'wasTitle') && { wasTitle: textOf(body, 'wasTitle') }),
  ...(hasField(body, 'wasTags') && { wasTags: textOf(body, 'wasTags') }),
});

const hasField = (body: unknown, name: string): boolean =>
  isObject(body) && Object.hasOwn(body, name);

/**
 * Returns the changes in a form. The address has the same rules as the address of a page to save.
 * @throws ValidationFailedError if a tag or the address is invalid
 */
const editIn = (
  body: unknown,
  { title, tags, url }: EditForm,
): Parameters<ItemEdits['edit']>[2] => ({
  title: isChanged(body, 'title', 'wasTitle') ? title : undefined,
  tags: isChanged(body, 'tags', 'wasTags') ? tagsIn(tags) : undefined,
  address: hasField(body, 'url') && isChanged(body, 'url', 'was') ? addressIn(url) : undefined,
});

/** @throws ValidationFailedError if the text is not an address that can be saved */
function addressIn(url: string): Address {
  const address = readAddress(url);
  if (address instanceof Unreadable) {
    throw new ValidationFailedError([fieldProblem('url', address.reason, address.advice)]);
  }
  return address;
}

/**
 * Returns true if a field has another value than on the page that the user has opened, which is in a hidden field. The
 * item may have changed since. Forms without the hidden field come from earlier versions of the page.
 */
const isChanged = (body: unknown, name: keyof EditForm, was: keyof WasForm): boolean =>
  !isObject(body) || !Object.hasOwn(body, was) || textOf(body, name) !== textOf(body, was);

function takenIn(error: unknown): EditItemModel['taken'] {
  if (!(error instanceof AddressTakenError)) {
    return undefined;
  }
  const { takenBy } = error;
  return takenBy === 'trash'
    ? { path: '/list/trash', label: message('editItem.openTrash') }
    : { path: `/read/${takenBy.itemId}`, label: message('editItem.openListed') };
}

/**
 * Returns the tags in a text, which are separated by commas.
 * @throws ValidationFailedError if a tag is invalid
 */
function tagsIn(text: string): readonly TagName[] {
  const tags = parseTagNames(splitTags(withPlainCommas(text)));
  if (tags === undefined) {
    throw new ValidationFailedError([
      fieldProblem(
        'tags',
        'must be tags',
        message('editItem.rules.tags', { most: MAX_TAG_LENGTH }),
      ),
    ]);
  }
  return tags;
}
