import { Wire, WireRequired, WireText, WireTimestamp } from '../../common/http/wire.js';
import type { ItemToAdd } from '../item-to-add.js';
import type { Address } from '../list/address.js';
import { givenTitle } from '../list/given-title.js';
import type { TagName } from '../list/tag-name.js';
import { readTags } from '../read-tags.js';
import { ADD_MEMBERS } from './add.members.js';
import { readAddress } from './add-readers.js';

/** Longer titles are cut, so that a page is saved whatever its title. */
const MAX_TITLE_LENGTH = 1_000_000;
const MAX_REFERENCE_LENGTH = 200;
/** The resolver reads no more of a page that it fetches itself. */
const MAX_HTML_LENGTH = 2_000_000;

/** The members of add (specification, "POST /v3/add"). */
export class AddRequest {
  @WireRequired(readAddress, ADD_MEMBERS.url)
  url!: Address;

  @WireText({ max: MAX_TITLE_LENGTH }, ADD_MEMBERS.title)
  title?: string;

  @Wire(readTags, ADD_MEMBERS.tags)
  tags?: readonly TagName[];

  // The social network's ids are taken, and mean nothing (docs/decisions/0016).
  @WireText({ max: MAX_REFERENCE_LENGTH }, ADD_MEMBERS.tweet_id)
  tweet_id?: string;

  @WireText({ max: MAX_REFERENCE_LENGTH }, ADD_MEMBERS.status_ref_id)
  status_ref_id?: string;

  @WireText({ max: MAX_REFERENCE_LENGTH }, ADD_MEMBERS.ref_id)
  ref_id?: string;

  @WireTimestamp(ADD_MEMBERS.time)
  time?: number;

  @WireText({ max: MAX_HTML_LENGTH }, ADD_MEMBERS.html)
  html?: string;

  toItem(): ItemToAdd {
    return {
      address: this.url,
      title: givenTitle(this.title ?? ''),
      tags: this.tags ?? [],
      // Nothing was saved in 1970: 0 is how some clients leave the time out.
      time: this.time === 0 ? undefined : this.time,
      html: this.html,
    };
  }
}
