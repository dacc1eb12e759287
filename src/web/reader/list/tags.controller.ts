import { Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { withoutControls } from '../../../lib/util/clean-text.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { requestLanguage } from '../../../platform/http/request-language.js';
import { IdParam, TextParam } from '../../../pocket-api/params.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { UNTAGGED } from '../../../reading-list/list/tag-name.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';
import { SuggestionsService } from '../../../reading-list/suggestions/suggestions.service.js';
import {
  type ColoredTag,
  type ColorsByName,
  TagColors,
} from '../../../reading-list/tag-colors/tag-colors.service.js';
import { localPath } from '../../local-path.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { type DoneNotice, doneNoticeOf } from '../done-notice.js';
import type { ReaderPage } from '../reader-page.js';
import { pinnedLinks } from '../saved-lists/shown-lists.js';
import type { TagLink } from './item-card.js';
import { type ChoiceLink, tabsAt, tagPath } from './list-links.js';
import { inTree, type TreeTag } from './tag-tree.js';

/**
 * The query parameters of the page on which a user edits the tags of an item. `back` is the address of the page to open
 * afterwards.
 */
class EditTagsRequest {
  @IdParam()
  item?: string;

  @TextParam({ max: 6000 })
  back?: string;
}

/** The maximum number of tags that the page contains for autocompletion. */
const MOST_KNOWN = 300;
const MOST_SHOWN = 1000;
const MAX_PART = 100;
/** Tags below this depth are not indented any further. */
const DEEPEST = 3;

interface EditTagsModel extends ReaderPage {
  readonly itemId: string;
  readonly title: string;
  readonly back: string;
  readonly tags: readonly string[];
  readonly suggested: readonly string[];
  readonly colors: ColorsByName;
  /** All tags of the user. Empty if the user has more than MOST_KNOWN tags. */
  readonly known: readonly string[];
}

/** A tag of the page with all tags. Its name consists of `above`, which the tags above show, and `rest`. */
interface TagInTree extends TagLink, Pick<ColoredTag, 'color'> {
  readonly count: number;
  readonly depth: number;
  readonly above: string;
  readonly rest: string;
}

interface TagsModel extends ReaderPage {
  readonly part: string;
  readonly tags: readonly TagInTree[];
  readonly isCut: boolean;
  readonly untaggedHref: string;
  readonly done: DoneNotice | undefined;
  /** The address of the page without its notice. */
  readonly path: string;
  readonly tabs: readonly ChoiceLink[];
}

const editTagsPage = new Template<EditTagsModel>('reader/list/edit-tags', { kind: 'reader' });
const tagsPage = new Template<TagsModel>('reader/list/tags', { kind: 'reader' });

/** Shows the page on which a user edits the tags of an item, and the page with all tags of the user. */
@Page('list/tags')
export class TagPagesController {
  constructor(
    private readonly items: ItemRepository,
    private readonly tags: TagColors,
    private readonly suggestions: SuggestionsService,
    private readonly savedLists: SavedLists,
  ) {}

  @Get()
  async edit(@CurrentUser() { id: userId }: User, @Query() query: object): Promise<ShownPage> {
    const { item = '', back = '/list' } = parseRequest(EditTagsRequest, query);
    const row = await this.items.rowOf(userId, item || '0');
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    const itemId = row.item_id;
    const suggested = (await this.suggestions.suggest(userId, { itemId })).map(({ tag }) => tag);
    const known = await this.tags.counted(userId, { part: '', limit: MOST_KNOWN + 1 });
    return editTagsPage.page({
      section: 'list',
      itemId,
      title: resolvedTitleOf(row),
      tags: row.tags,
      back: localPath(back) ?? '/list',
      suggested,
      colors: await this.tags.of(userId, [...row.tags, ...suggested]),
      known: known.length > MOST_KNOWN ? [] : known.map(({ name }) => name),
    });
  }

  @Get('all')
  async all(@CurrentUser() { id: userId }: User, @Req() request: Request): Promise<ShownPage> {
    const { query } = request;
    const part = withoutControls(textOf(query, 'find')).trim();
    if (part.length > MAX_PART) {
      throw new ValidationFailedError([
        fieldProblem('find', `must be text of at most ${MAX_PART} characters`),
      ]);
    }
    const tags = await this.tags.counted(userId, { part, limit: MOST_SHOWN + 1 });
    return tagsPage.page({
      section: 'list',
      part,
      tags: inTree(tags.slice(0, MOST_SHOWN), new Intl.Collator(requestLanguage(request))).map(
        linkOf,
      ),
      isCut: tags.length > MOST_SHOWN,
      untaggedHref: tagPath(UNTAGGED),
      done: doneNoticeOf(query),
      path: '/list/tags/all',
      tabs: tabsAt('tags', pinnedLinks(await this.savedLists.all(userId))),
    });
  }
}

const linkOf = ({ tag, depth, above }: TreeTag<ColoredTag>): TagInTree => ({
  name: tag.name,
  color: tag.color,
  href: tagPath(tag.name),
  count: tag.itemCount,
  depth: Math.min(depth, DEEPEST),
  above,
  rest: tag.name.slice(above.length),
});
